type Cell = string | number | null
type Table = { columns: string[]; rows: Cell[][] }

export const asCsv = ({ columns, rows }: Table): string =>
  [columns, ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('')

export const asNdjson = ({ columns, rows }: Table): string =>
  rows
    .map((row) => {
      const named = Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null]))
      return `${JSON.stringify(named)}\n`
    })
    .join('')

/** Values come from whoever is logged: one that a spreadsheet would run as a formula is made text. */
function csvCell(value: Cell): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
