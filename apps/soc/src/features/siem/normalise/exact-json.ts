/**
 * JSON whose whole numbers keep their digits: one that a double cannot hold is its text, and so is a
 * number that is too large for any. Not for JSON that is nested deeper than `isTooDeep` allows.
 */
export const parseExactly = (json: string): unknown => exactly(JSON.parse(json), json)

/** What was read of the text; anew where it has such a number, which takes several times as long. */
export const exactly = (value: unknown, json: string): unknown =>
  hasLarge(value) ? JSON.parse(json, exact) : value

function hasLarge(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(hasLarge)
  for (const name in value) if (hasLarge((value as Record<string, unknown>)[name])) return true
  return false
}

function exact(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value
  const isHeld = Number.isFinite(value) && (String(value) === source || !WHOLE.test(source))
  return isHeld ? value : source
}

const WHOLE = /^-?\d+$/
