/** Events may carry what PostgreSQL cannot keep: NUL and half a surrogate pair. */
export const storable = (text: string) => text.replaceAll('\0', '\ufffd').toWellFormed()

export function storableValue(value: unknown): unknown {
  if (typeof value === 'string') return storable(value)
  if (Array.isArray(value)) return value.map(storableValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, child]) => [storable(key), storableValue(child)]),
  )
}
