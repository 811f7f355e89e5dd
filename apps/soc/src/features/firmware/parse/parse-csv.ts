import { csvRows } from '@manara/kit/csv'
import { FirmwareCreate } from '@manara/soc-contract/firmware'
import { firstIssue, MOST_ROWS, type Parsed, type ParsedFirmware, type Skipped } from './parsed.ts'

const NEEDED = ['vendor', 'product', 'version', 'sha256'] as const
const NAMES: Record<string, string> = {
  manufacturer: 'vendor',
  supplier: 'vendor',
  model: 'product',
  device: 'product',
  firmware: 'product',
  firmware_version: 'version',
  hash: 'sha256',
  'sha-256': 'sha256',
  firmware_sha256: 'sha256',
  date: 'released_at',
  release_date: 'released_at',
  released: 'released_at',
  notes: 'release_notes',
}
const OPTIONAL = ['status', 'released_at', 'release_notes', 'signature'] as const

/** One firmware a row; the heading names the columns, in any order. */
export function parseCsv(text: string): Parsed {
  const { rows } = csvRows(text)
  const [heading, ...lines] = rows
  if (!heading) return { problem: 'body: the file is empty' }
  const names = heading.cells.map(nameOf)
  const missing = NEEDED.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    return {
      problem: `body: line ${heading.line}: the heading must name ${missing.join(', ')}`,
    }
  }
  if (lines.length > MOST_ROWS) return { problem: `body: has more than ${MOST_ROWS} rows` }
  const firmware: ParsedFirmware[] = []
  const skipped: Skipped[] = []
  for (const { line, cells } of lines) {
    const place = `line ${line}`
    const read = FirmwareCreate.safeParse(fieldsOf(names, cells))
    if (read.success) firmware.push({ ...read.data, place })
    else skipped.push({ place, reason: firstIssue(read.error) })
  }
  return { firmware, skipped }
}

function nameOf(cell: string): string {
  const name = cell.trim().toLowerCase().replaceAll(' ', '_')
  return NAMES[name] ?? name
}

function fieldsOf(names: string[], cells: string[]) {
  const fields: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const cell = cells[at]?.trim() ?? ''
    const isNeeded = NEEDED.some((one) => one === name)
    if (isNeeded || (cell !== '' && OPTIONAL.some((one) => one === name))) {
      fields[name] ??= name === 'released_at' ? momentOf(cell) : cell
    }
  }
  return fields
}

/** A day alone is its midnight in UTC. */
const momentOf = (cell: string) => (/^\d{4}-\d\d-\d\d$/.test(cell) ? `${cell}T00:00:00Z` : cell)
