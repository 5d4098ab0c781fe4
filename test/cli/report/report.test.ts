import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Locator, Page } from 'playwright-core';
import { batchWorkflowId, episodeWorkflowId } from '../../../src/messages.js';
import { DrillSite, until } from '../../drills/drill-site.js';
import { launchBrowser } from '../../support/browser.js';
import { holdfast, type Ran } from '../../support/holdfast.js';
import { prepared } from '../../support/prepared.js';
import { playToTheEnd, playUntilHeld, type Scene } from '../../support/report-scene.js';

const hostile = `<script>window.pwned = 1</script><img src="x" onerror="window.pwned = 2"> "it's" </title> &amp;`;
const scene: Scene = {
  batchId: 'spring',
  titles: ['Zero', hostile, 'Two', 'The refused one', 'Four', 'Five'],
  refused: 3,
};

const { browser: chromium } = prepared();
const title = `holdfast report${chromium === undefined ? ' (skipped: no browser is to be had)' : ''}`;

(chromium === undefined ? describe.skip : describe)(title, () => {
  let directory: string;
  let browser: Browser | undefined;
  const ran: Record<string, Ran> = {};
  const pages: Record<string, OpenedPage> = {};

  beforeAll(async () => {
    if (chromium === undefined) return;
    directory = await mkdtemp(path.join(tmpdir(), 'holdfast-report-'));
    const site = await DrillSite.start({ episodes: scene.titles.length });
    const report = async (...args: string[]): Promise<Ran> =>
      holdfast(['report', ...args], { cwd: directory, env: { TEMPORAL_ADDRESS: site.address } });
    try {
      await playUntilHeld(site, scene);
      ran['held'] = await report('spring', '-o', 'held.html');
      await playToTheEnd(site, scene);
      ran['ended'] = await report('spring', '-o', 'ended.html');
      ran['unknown'] = await report('nothing');
      ran['stdout'] = await report('spring', '-o', '-');
      await forget(site, episodeWorkflowId('spring', 'episode-00'));
      ran['lessOne'] = await report('spring', '-o', 'lessOne.html');
      await forget(site, batchWorkflowId('spring'));
      ran['forgotten'] = await report('spring', '-o', 'forgotten.html', '--corpus-dir', site.corpusDir);
    } finally {
      await site.stop();
    }
    browser = await launchBrowser(chromium);
    for (const name of ['held', 'ended', 'lessOne', 'forgotten'])
      pages[name] = await open(browser, path.join(directory, `${name}.html`));
  });

  afterAll(async () => {
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  function opened(name: string): OpenedPage {
    const page = pages[name];
    if (page === undefined) throw new Error(`${name}: ${JSON.stringify(ran[name])}`);
    return page;
  }

  it('writes one page, says where, and exits with 0', async () => {
    expect(ran['ended']).toMatchObject({ exitCode: 0, stdout: '' });
    expect(ran['ended']?.stderr).toContain(`${path.join(directory, 'ended.html')}: batch spring, 6 episodes, 1 failed`);
    expect(ran['stdout']?.stdout).toMatch(/^<!doctype html>/);
    expect((await readFile(path.join(directory, 'ended.html'), 'utf8')).length).toBeLessThan(1_400_000);
  });

  it('exits with 2 and no stack when nobody knows the batch', () => {
    expect(ran['unknown']).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ran['unknown']?.stderr).toContain('there is no batch "nothing"');
    expect(ran['unknown']?.stderr).not.toContain('    at ');
  });

  it.each(['held', 'ended', 'lessOne', 'forgotten'])('loads nothing and complains of nothing (%s)', (name) => {
    expect(opened(name).requests).toEqual([pathToFileURL(path.join(directory, `${name}.html`)).href]);
    expect(opened(name).complaints).toEqual([]);
  });

  it('shows a hostile title as the text that it is', async () => {
    const { page } = opened('ended');

    expect(await page.locator('#slowest td').allInnerTexts()).toContainEqual(expect.stringContaining(hostile));
    expect(await page.evaluate('window.pwned')).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
  });

  it('draws every chart, with a bar for every stage of every episode and a sign for every alert', async () => {
    const { page } = opened('ended');
    for (const id of ['outcome-chart', 'timeline-chart', 'busy-chart', 'time-chart']) {
      expect((await page.locator(`#${id} svg`).boundingBox())?.width).toBeGreaterThan(500);
    }

    // The refused episode has neither text stages nor a diarization that ended well.
    const bars = { transcribe: expect.any(Number) as unknown, diarize: 6, summarize: 5, gi: 5, kg: 5, publish: 6 };
    expect(await barsByKind(page)).toMatchObject(bars);
    expect(
      await page.evaluate(`echarts.getInstanceByDom(document.getElementById('timeline-chart'))
      .getOption().series.find(({ id }) => id === 'alerts').data.length`),
    ).toBe(2);
    expect(await page.locator('#timeline-chart svg path').count()).toBeGreaterThan(40);
  });

  it('counts in its tables what the batch accounts for', async () => {
    const { page } = opened('ended');

    expect(await cells(page.locator('#outcome table').first())).toEqual(
      expect.arrayContaining([
        ['done', '5', '83 %'],
        ['failed', '1', '17 %'],
      ]),
    );
    expect(await cells(page.locator('#alerts table'))).toMatchObject([
      [expect.any(String), 'dgx-speaches', 'Circuit tripped', expect.stringContaining('503'), expect.any(String)],
      [expect.any(String), 'dgx-speaches', 'Recovered', expect.any(String), expect.any(String)],
    ]);
    const tiers = await cells(page.locator('#models table'));
    expect(tiers.map(([stage, , tier, , , reported, artifacts]) => [stage, tier, reported, artifacts])).toEqual([
      ['transcribe', '0, chosen', 'Systran/faster-whisper-large-v3', '6'],
      ['diarize', '0, chosen', 'pyannote/speaker-diarization-community-1', '5'],
      ['summarize', '0, chosen', 'qwen3.5:35b', '5'],
      ['gi', '0, chosen', 'qwen3.5:35b', '5'],
      ['kg', '0, chosen', 'qwen3.5:35b', '5'],
    ]);
  });

  it('names the failed episode with its reason, and the command that runs it again', async () => {
    const { page } = opened('ended');
    const [failed = []] = await cells(page.locator('#failed table'));

    expect(failed[0]).toContain('The refused one');
    expect(failed.slice(1, 3)).toEqual(['ContentRejected', expect.stringContaining('HTTP 413')]);
    const [rerun, verify] = await page.locator('#next pre').allInnerTexts();
    expect(rerun).toMatch(/^holdfast reprocess --feed \S+feed\.xml --profile experiment_dgx_only .*--batch-id spring$/);
    expect(verify).toMatch(/^holdfast verify \S+ --batch spring$/);
  });

  it('shows of a held batch who holds it, how long, and that nothing need be done', async () => {
    const { page } = opened('held');

    expect(await page.locator('h1').innerText()).toContain('holding');
    expect(await page.locator('#next').innerText()).toContain('it goes on by itself');
    expect(await page.locator('#next pre').allInnerTexts()).toContain('holdfast endpoints probe dgx-speaches');
    const endpoints = await cells(page.locator('#endpoints table'));
    expect(endpoints.find(([id]) => id === 'dgx-speaches')?.[1]).toMatch(/^open .*503.*next probe/);
    expect(await barsByKind(page)).toMatchObject({ held: expect.any(Number) as unknown });
  });

  it('has no times for an episode whose history is gone, says so, and counts it all the same', async () => {
    const { page } = opened('lessOne');

    expect(await page.locator('aside').innerText()).toContain('history of 1 of the episodes');
    expect(await page.locator('#outcome table').first().innerText()).toMatch(/done\s+5/);
    expect(await barsByKind(page)).toMatchObject({ summarize: 4 });
  });

  it('shows the record of a batch that the server has forgotten', async () => {
    const { page } = opened('forgotten');

    expect(await page.locator('aside').innerText()).toContain('The server has forgotten this batch');
    expect(await page.locator('#failed').innerText()).toContain('HTTP 413');
    expect(await page.locator('#timeline').innerText()).toContain('No times are known.');
  });
});

/** As retention does. */
async function forget({ client }: DrillSite, workflowId: string): Promise<void> {
  const { namespace } = client.options;
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  const handle = client.workflow.getHandle(workflowId);
  await until(`${workflowId} to be gone`, () =>
    handle.describe().then(
      () => false,
      () => true,
    ),
  );
}

interface OpenedPage {
  readonly page: Page;
  readonly requests: string[];
  /** Errors, and whatever else the page or the browser wrote into the console. */
  readonly complaints: string[];
}

/** Without a network: whatever the page asks for is told, and refused. */
async function open(browser: Browser, file: string): Promise<OpenedPage> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, offline: true });
  const page = await context.newPage();
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(pathToFileURL(file).href);
  return { page, requests, complaints };
}

async function cells(table: Locator): Promise<string[][]> {
  const rows = await table.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('td').allInnerTexts()));
}

/** As the chart library has drawn them. */
async function barsByKind(page: Page): Promise<Record<string, number>> {
  return page.evaluate(`Object.fromEntries(echarts.getInstanceByDom(document.getElementById('timeline-chart'))
    .getOption().series.filter(({ name }) => name).map(({ name, data }) => [name, data.length]))`);
}
