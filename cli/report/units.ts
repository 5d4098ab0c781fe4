/** `850 ms`, `4.2 s`, `3 min 5 s`, `2 h 10 min`, `1 d 4 h`. */
export function duration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  const totalSec = Math.round(ms / 1000);
  const [d, h, min, s] = [
    Math.floor(totalSec / 86_400),
    Math.floor(totalSec / 3600) % 24,
    Math.floor(totalSec / 60) % 60,
    totalSec % 60,
  ];
  if (d > 0) return `${d} d ${h} h`;
  return h > 0 ? `${h} h ${min} min` : `${min} min ${s} s`;
}

/** `2026-11-30 14:05:09 UTC`. */
export function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** `42 %`; what is little but not nothing is `< 1 %`. */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
}
