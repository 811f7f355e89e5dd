/** No more of those that wait no longer: a page stays open for days. */
const MOST_GONE = 50

/** What is in sight keeps its place, also when it waits no more; what is new comes behind it. */
export function inPlace(before: readonly string[], waiting: readonly string[]): string[] {
  const gone = before.filter((id) => !waiting.includes(id))
  const forgotten = gone.slice(0, Math.max(0, gone.length - MOST_GONE))
  return [
    ...before.filter((id) => !forgotten.includes(id)),
    ...waiting.filter((id) => !before.includes(id)),
  ]
}
