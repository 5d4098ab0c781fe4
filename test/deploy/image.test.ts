import { execFileSync } from 'node:child_process';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { useDrillSite } from '../drills/use-drill-site.js';
import { useTemporaryDirectory } from '../support/temporary-directory.js';
import { layOutImage, unprivileged } from './image.js';

describe("the image's content", () => {
  const directory = useTemporaryDirectory();
  const startSite = useDrillSite();

  it('registers, works, reports and stops in order, as a user without rights', async () => {
    await chmod(directory(), 0o755);
    const image = await layOutImage(directory());
    const site = await startSite({ episodes: 1, workers: 0 });
    const { uid, gid } = unprivileged();
    if (uid !== undefined) execFileSync('chown', ['-R', `${uid}:${gid}`, site.dataDir]);
    const config = path.join(site.dataDir, 'holdfast.config.yaml');
    const place = { cwd: site.dataDir, env: { TEMPORAL_ADDRESS: site.address, HOLDFAST_CONFIG: config } };

    const setup = await image.start(place, ['setup', '--search-attributes']);
    await setup.says(`all registered at ${site.address}`);
    expect(await setup.exitCode).toBe(0);

    const worker = await image.start(place);
    await worker.says('"worker ready"');
    await site.startBatch('b');
    const { report } = await site.outcome('b');
    expect(report).toMatchObject({ state: 'completed', done: 1 });
    expect(await site.findings()).toEqual([]);
    const reporter = await image.start(place, ['report', 'b', '-o', '-']);
    await reporter.says('</html>');
    expect(await reporter.exitCode).toBe(0);
    expect(await worker.stop()).toBe(0);
  });
});
