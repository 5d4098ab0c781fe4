import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { endpointWorkflowId, episodeWorkflowId } from '../../../src/messages.js';
import { DrillSite } from '../../drills/drill-site.js';
import { launchBrowser, resolveBrowser } from '../browser.js';
import { holdfast } from '../holdfast.js';
import { repositoryRoot } from '../prepared.js';
import { playToTheEnd, playUntilHeld, type Scene } from '../report-scene.js';

/*
 * Takes the pictures of docs/images: `node -r ./bin/register.js test/support/screenshots/main.ts`. A real site with
 * scripted services, its Web UI, and the report, as a browser shows them.
 */

const imagesDir = path.join(repositoryRoot, 'docs', 'images');

const scene: Scene = {
  batchId: 'spring',
  titles: [
    'Why a timer should survive a reboot',
    'One graphics card, three models',
    'The archive that never slept',
    'Counting what was lost',
    'A queue is a promise',
    'Night shift',
    'What the tape remembers',
    'Nobody pages at dawn',
    'The long way home',
    'Two of everything',
  ],
  refused: 3,
};

/** The one whose calls opened the circuit. */
const heldEpisode = 'episode-02';

async function main(): Promise<void> {
  await mkdir(imagesDir, { recursive: true });
  const site = await DrillSite.start({ episodes: scene.titles.length });
  const browser = await launchBrowser(await resolveBrowser());
  try {
    await playUntilHeld(site, scene);
    await takeWebUi(site, await pageOf(browser));
    await playToTheEnd(site, scene);
    await takeReport(site, await pageOf(browser));
  } finally {
    await browser.close();
    await site.stop();
  }
}

async function pageOf(browser: Browser): Promise<Page> {
  return browser.newPage({ viewport: { width: 1360, height: 800 }, colorScheme: 'light' });
}

async function takeWebUi(site: DrillSite, page: Page): Promise<void> {
  const workflows = `${site.uiUrl}/namespaces/default/workflows`;
  await page.goto(`${workflows}?query=${encodeURIComponent('HoldfastState = "holding"')}`);
  await page.getByText(episodeWorkflowId(scene.batchId, heldEpisode)).first().waitFor();
  await chooseColumns(page);
  await take(page, 'web-ui-list');
  await page.goto(`${workflows}/${encodeURIComponent(episodeWorkflowId(scene.batchId, heldEpisode))}`);
  await page.getByText('User Metadata').click();
  // The Web UI shows Markdown in frames.
  await page.locator('iframe').last().contentFrame().getByText('Held since').waitFor();
  await take(page, 'web-ui-held-episode');
  await page.setViewportSize({ width: 1360, height: 1200 });
  await page.goto(`${workflows}/${encodeURIComponent(endpointWorkflowId('dgx-speaches'))}`);
  await page.getByText('probeEndpoint').first().waitFor();
  await take(page, 'web-ui-endpoint');
}

/** The search attributes in place of what does not help here. */
async function chooseColumns(page: Page): Promise<void> {
  await page.getByTestId('workflows-summary-table-configuration-button').click();
  for (const name of ['Run ID', 'Start', 'End']) await page.getByLabel(`Remove ${name} column`).click();
  for (const name of ['State', 'Stage', 'Endpoint']) await page.getByLabel(`Add Holdfast${name} column`).click();
  await page.getByTestId('drawer-close-button').click();
}

/** Once the page has come to rest. */
async function take(page: Page, name: string): Promise<void> {
  await page.waitForTimeout(1500);
  await page.screenshot({ path: path.join(imagesDir, `${name}.png`) });
}

async function takeReport(site: DrillSite, page: Page): Promise<void> {
  const file = path.join(site.dataDir, 'report.html');
  await holdfast(['report', scene.batchId, '-o', file], { cwd: site.dataDir, env: { TEMPORAL_ADDRESS: site.address } });
  await page.goto(pathToFileURL(file).href);
  await take(page, 'report');
  await page.locator('#timeline').screenshot({ path: path.join(imagesDir, 'report-timeline.png') });
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
