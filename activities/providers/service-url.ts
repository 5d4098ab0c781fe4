/**
 * Address of a path at a service, whether its base URL ends before or after the API's version:
 * `http://box:8000` and `http://box:8000/v1` both lead to `http://box:8000/v1/models`. A base URL that is already the
 * whole address is taken as it is.
 */
export function apiUrl(baseUrl: string, path: `/${string}`): string {
  const base = baseUrl.replace(/\/+$/, '');
  if (base.endsWith(path)) return base;
  const version = /^\/v[^/]+/.exec(path)?.[0];
  return version !== undefined && base.endsWith(version) ? base + path.slice(version.length) : base + path;
}

/** Address of a path beside the API, e.g. `/health`: at the base URL without its version. */
export function besideApiUrl(baseUrl: string, path: `/${string}`): string {
  return baseUrl.replace(/\/+$/, '').replace(/\/v\d[^/]*(\/.*)?$/, '') + path;
}
