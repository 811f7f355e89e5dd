type Part<T> = { [K in keyof T]?: T[K] extends object ? Part<T[K]> | undefined : T[K] | undefined }

/**
 * What is left out, or undefined, stays as it is, also inside of objects. Lists and what was null are
 * taken whole.
 */
export function merge<T extends object>(before: T, change: Part<T>): T {
  const entries = Object.entries(change)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => {
      const old = before[key as keyof T]
      return [key, isRecord(old) && isRecord(value) ? merge(old, value) : value]
    })
  return { ...before, ...Object.fromEntries(entries) }
}

const isRecord = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
