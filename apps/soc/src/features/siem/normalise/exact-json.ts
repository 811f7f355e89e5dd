/**
 * JSON as it was written. Whole numbers keep their digits: one that a double cannot hold is its text,
 * and so is a number that is too large for any. And names are their own: V8 takes one that ends with
 * an escape for one of an earlier text that ends with a backslash (`"a\n"` for `"a\\"`). Not for JSON
 * that is nested deeper than `isTooDeep` allows.
 */
export const parseExactly = (json: string): unknown => exactly(JSON.parse(json), json)

/** What was read of the text; anew where that is in doubt, which takes several times as long. */
export function exactly(value: unknown, json: string): unknown {
  if (!isInDoubt(value)) return value
  return json.includes('\\') ? byNames(json) : JSON.parse(json, exact)
}

function isInDoubt(value: unknown): boolean {
  if (typeof value === 'number') return Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(isInDoubt)
  for (const name in value) {
    if (name.includes('\\') || isInDoubt((value as Record<string, unknown>)[name])) return true
  }
  return false
}

function exact(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value
  const isHeld = Number.isFinite(value) && (String(value) === source || !WHOLE.test(source))
  return isHeld ? value : source
}

const WHOLE = /^-?\d+$/

const COLON = /[ \t\r\n]*:/y

/** Every name is read by itself; while the rest is read a number stands for it. */
function byNames(json: string): unknown {
  const names: string[] = []
  let plain = ''
  let at = 0
  for (let begin = json.indexOf('"'); begin >= 0; begin = json.indexOf('"', at)) {
    const end = endOfText(json, begin) + 1
    const text = json.slice(begin, end)
    COLON.lastIndex = end
    plain += json.slice(at, begin)
    plain += COLON.test(json) ? `"@${names.push(JSON.parse(text)) - 1}"` : text
    at = end
  }
  return named(JSON.parse(plain + json.slice(at), exact), names)
}

function named(value: unknown, names: string[]): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map((one) => named(one, names))
  return Object.fromEntries(
    Object.entries(value).map(([mark, one]) => [names[Number(mark.slice(1))], named(one, names)]),
  )
}

const BACKSLASH = 0x5c

/** Where the quote is that closes the one at `from`; the end of the JSON when none does. */
export function endOfText(json: string, from: number): number {
  for (let at = json.indexOf('"', from + 1); at >= 0; at = json.indexOf('"', at + 1)) {
    let before = at - 1
    while (json.charCodeAt(before) === BACKSLASH) before -= 1
    // An even number of backslashes are pairs, each of which is one that is meant.
    if ((at - before) % 2 === 1) return at
  }
  return json.length
}
