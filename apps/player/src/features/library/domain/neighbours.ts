/** The first surah after `from` that is there. `available[0]` is surah 1. */
export function nextAvailable(available: readonly boolean[], from: number): number | undefined {
  const index = available.indexOf(true, Math.max(0, from))
  return index < 0 ? undefined : index + 1
}

/** The last surah before `from` that is there. */
export function previousAvailable(available: readonly boolean[], from: number): number | undefined {
  // A negative start would count from the end.
  if (from < 2) return undefined
  const index = available.lastIndexOf(true, from - 2)
  return index < 0 ? undefined : index + 1
}
