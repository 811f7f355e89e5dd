/** How large the list in one request may be: the box takes 16 KB of JSON and 15,000 letters. */
const MOST_BYTES = 14_000
const MOST_LETTERS = 15_000

const weight = (text: string) => new TextEncoder().encode(JSON.stringify(text)).length
const fits = (text: string) => text.length <= MOST_LETTERS && weight(text) <= MOST_BYTES

/** A list of stations as pieces that the box takes, none cut within a station. */
export function stationPieces(text: string): string[] {
  if (fits(text)) return [text]
  const { head, entries } = entriesOf(text)
  const pieces: string[] = []
  let piece = head
  for (const entry of entries) {
    if (piece !== head && !fits(piece + entry)) {
      pieces.push(piece)
      piece = head
    }
    piece += entry
  }
  return [...pieces, piece]
}

/** What each piece begins with, and the text of each station. */
function entriesOf(text: string): { head: string; entries: string[] } {
  if (/<opml[\s>]/i.test(text)) {
    return { head: '<opml>', entries: text.match(/<outline\b[^>]*>/gi) ?? [] }
  }
  const lines = text.split(/\r?\n|\r/).map((line) => `${line}\n`)
  if (!lines.some((line) => /^\s*\[playlist\]/i.test(line)))
    return { head: '', entries: m3u(lines) }
  const numbered = new Map<string, string>()
  for (const line of lines) {
    const [, number] = /^\s*(?:file|title)(\d+)\s*=/i.exec(line) ?? []
    if (number) numbered.set(number, (numbered.get(number) ?? '') + line)
  }
  return { head: '[playlist]\n', entries: [...numbered.values()] }
}

/** What is said about an address stands in the lines before it. */
function m3u(lines: string[]): string[] {
  const entries: string[] = []
  let before = ''
  for (const line of lines) {
    before += line
    if (line.trim() === '' || line.startsWith('#')) continue
    entries.push(before)
    before = ''
  }
  return entries
}
