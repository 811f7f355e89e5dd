/**
 * JSON whose whole numbers keep their digits: one that a double cannot hold is its text. Only where
 * there is such a number is each looked at, which takes several times as long. Not for JSON that is
 * nested deeper than `isTooDeep` allows.
 */
export const parseExactly = (json: string): unknown =>
  hasLongNumber(json) ? JSON.parse(json, exact) : JSON.parse(json)

function exact(_: string, value: unknown, { source }: { source?: string } = {}): unknown {
  if (typeof value !== 'number' || source === undefined || Number.isSafeInteger(value)) return value
  return String(value) !== source && WHOLE.test(source) ? source : value
}

const WHOLE = /^-?\d+$/
/** All numbers with fewer digits are safe. */
const DIGITS = 16

/** Looks at every sixteenth character: so many digits one after the other are not passed over. */
export function hasLongNumber(json: string): boolean {
  for (let at = DIGITS - 1; at < json.length; ) {
    if (!isDigit(json.charCodeAt(at))) {
      at += DIGITS
      continue
    }
    let first = at
    while (isDigit(json.charCodeAt(first - 1))) first -= 1
    let last = at
    while (isDigit(json.charCodeAt(last + 1))) last += 1
    if (last - first >= DIGITS - 1 && isValue(json, first)) return true
    at = last + 1 + DIGITS
  }
  return false
}

const isDigit = (code: number) => code >= 0x30 && code <= 0x39

/** Not inside a text, as most of them, nor behind a point. */
function isValue(json: string, first: number): boolean {
  let before = json[first - 1] === '-' ? first - 2 : first - 1
  while (' \n\r\t'.includes(json[before] ?? '.')) before -= 1
  return before < 0 || ':,['.includes(json[before] as string)
}
