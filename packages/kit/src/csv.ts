export type CsvRow = {
  /** Where it begins, counted from 1 over all lines of the text. */
  line: number
  cells: string[]
}

/**
 * RFC 4180: quotes may hold separators, line ends and doubled quotes; empty lines are left out.
 * Without a comma in the first line, a semicolon or a tab separates. `#` begins a comment; `comment`
 * is the last one before the first row.
 */
export function csvRows(given: string): { rows: CsvRow[]; comment: string[] } {
  const text = given.replace(/^\ufeff/, '')
  const firstLine = /^(?!#)[^\r\n]+/m.exec(text)?.[0] ?? ''
  const separator = (!firstLine.includes(',') && /[;\t]/.exec(firstLine)?.[0]) || ','
  const cell = new RegExp(
    `(#? *"(?:[^"]|"")*" *|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`,
    'y',
  )
  const rows: CsvRow[] = []
  let comment: string[] = []
  let cells: string[] = []
  let line = 1
  let next = 1
  while (cell.lastIndex < text.length) {
    const [whole = '', content = '', end] = cell.exec(text) ?? []
    if (whole === '') break
    cells.push(content)
    next += linesIn(whole)
    if (end === separator) continue
    if (!cells[0]?.startsWith('#')) {
      if (cells.some((one) => one.trim() !== '')) rows.push({ line, cells: cells.map(unquoted) })
    } else if (rows.length === 0) {
      comment = [cells[0].replace(/^#+/, ''), ...cells.slice(1)].map(unquoted)
    }
    cells = []
    line = next
  }
  if (cells.length > 0) rows.push({ line, cells: cells.map(unquoted) })
  return { rows, comment }
}

const linesIn = (text: string) => text.match(/\r?\n|\r/g)?.length ?? 0

function unquoted(cell: string): string {
  const text = cell.trim()
  const isQuoted = text.length > 1 && text.startsWith('"') && text.endsWith('"')
  return isQuoted ? text.slice(1, -1).replaceAll('""', '"') : cell
}
