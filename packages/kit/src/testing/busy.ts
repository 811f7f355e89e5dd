/** Has no time for anything for so long, as a process of a machine that stands still. */
export function busyFor(ms: number) {
  const until = performance.now() + ms
  while (performance.now() < until);
}
