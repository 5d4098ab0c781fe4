import { DrillSite, type DrillSiteOptions } from './drill-site.js';

/** Called in a `describe`: at most one site for each of its tests, stopped after it. */
export function useDrillSite(): (options: DrillSiteOptions) => Promise<DrillSite> {
  let site: DrillSite | undefined;
  afterEach(async () => {
    await site?.stop();
    site = undefined;
  });
  return async (options) => {
    site = await DrillSite.start(options);
    return site;
  };
}
