import { IocType } from '@manara/soc-contract/iocs'
import { type Candidate, type ParsedFile, type Skipped, tlpOf } from './candidate.ts'

const NAMES: Record<string, string> = {
  indicator: 'value',
  ioc: 'value',
  source: 'sources',
  tag: 'tags',
  confidence: 'score',
  comment: 'description',
}
const TYPES: Record<string, IocType> = {
  ipv4: 'ip',
  ipv6: 'ip',
  hostname: 'domain',
  'e-mail': 'email',
  'sha-256': 'sha256',
  'sha-1': 'sha1',
}

/**
 * With a heading line that has `value` in it (then any of type, score, tlp, tags, sources,
 * valid_from, valid_until, revoked, description), or one value a line. `#` begins a comment.
 */
export function parseCsv(text: string): ParsedFile {
  const rows = rowsOf(text.replace(/^\ufeff/, ''))
  const heading = rows[0]?.map(nameOf) ?? []
  const hasHeading = heading.includes('value')
  const names = hasHeading ? heading : ['value']
  const candidates: Candidate[] = []
  const skipped: Skipped[] = []
  for (const [index, row] of rows.slice(hasHeading ? 1 : 0).entries()) {
    const cells = Object.fromEntries(names.map((name, at) => [name, row[at]?.trim() ?? '']))
    const read = readRow(cells, index)
    if (typeof read === 'string') skipped.push({ index, reason: read })
    else candidates.push(read)
  }
  return { candidates, skipped }
}

function nameOf(cell: string): string {
  const name = cell.trim().toLowerCase().replaceAll(' ', '_')
  return NAMES[name] ?? name
}

function readRow(cells: Record<string, string>, index: number): Candidate | string {
  const { value = '', type = '', score = '', tlp = '', revoked = '' } = cells
  const known = TYPES[type.toLowerCase()] ?? IocType.safeParse(type.toLowerCase()).data
  if (type !== '' && !known) return `type: ${type} is not supported`
  if (score !== '' && !/^\d{1,3}$/.test(score)) return 'score: must be a number from 0 to 100'
  return {
    index,
    value,
    type: known,
    score: score === '' ? undefined : Number(score),
    tlp: tlpOf(tlp.toLowerCase().startsWith('tlp:') ? tlp : `tlp:${tlp}`),
    valid_from: cells.valid_from || undefined,
    valid_until: cells.valid_until || undefined,
    revoked: /^(true|yes|1)$/i.test(revoked),
    sources: listOf(cells.sources),
    tags: listOf(cells.tags),
    description: cells.description || undefined,
  }
}

const listOf = (cell = '') =>
  cell
    .split(/[|;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** RFC 4180: quotes may hold separators, line ends and doubled quotes; empty lines are left out. */
function rowsOf(text: string): string[][] {
  const firstLine = text.slice(0, text.search(/[\r\n]|$/))
  const separator = (!firstLine.includes(',') && /[;\t]/.exec(firstLine)?.[0]) || ','
  const cell = new RegExp(
    `("(?:[^"]|"")*"|[^${separator}\\r\\n]*)(${separator}|\\r?\\n|\\r|$)`,
    'y',
  )
  const rows: string[][] = []
  let row: string[] = []
  while (cell.lastIndex < text.length) {
    const [whole = '', content = '', end] = cell.exec(text) ?? []
    if (whole === '') break
    row.push(content.startsWith('"') ? content.slice(1, -1).replaceAll('""', '"') : content)
    if (end === separator) continue
    if (row.some((one) => one.trim() !== '') && !row[0]?.startsWith('#')) rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}
