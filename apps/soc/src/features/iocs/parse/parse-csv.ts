import { csvRows } from '@manara/kit/csv'
import { IocType } from '@manara/soc-contract/iocs'
import { type Candidate, lookUp, type ParsedFile, type Skipped, tlpOf } from './candidate.ts'
import { CONTEXT_SCORE, partsOf } from './misp-types.ts'

const NAMES: Record<string, string> = {
  indicator: 'value',
  ioc: 'value',
  source: 'sources',
  tag: 'tags',
  confidence: 'score',
  comment: 'description',
  // As abuse.ch calls them: ThreatFox, URLhaus, MalwareBazaar, SSLBL, Feodo Tracker.
  ioc_value: 'value',
  url: 'value',
  dst_ip: 'value',
  dstip: 'value',
  sha256_hash: 'value',
  sha1: 'value',
  ioc_type: 'type',
  confidence_level: 'score',
  first_seen_utc: 'valid_from',
  firstseen: 'valid_from',
  dateadded: 'valid_from',
  listingdate: 'valid_from',
  threat: 'description',
  malware: 'description',
  malware_printable: 'description',
  listingreason: 'description',
  signature: 'description',
}
const TYPES: Record<string, IocType> = {
  ipv4: 'ip',
  ipv6: 'ip',
  hostname: 'domain',
  'e-mail': 'email',
  'sha-256': 'sha256',
  'sha-1': 'sha1',
  'ip:port': 'ip',
  sha256_hash: 'sha256',
  sha1_hash: 'sha1',
  md5_hash: 'md5',
  imphash_hash: 'imphash',
  'pe:imphash': 'imphash',
  'pe.imphash': 'imphash',
  // As OTX calls them.
  'filehash-md5': 'md5',
  'filehash-sha1': 'sha1',
  'filehash-sha256': 'sha256',
  'filehash-imphash': 'imphash',
  uri: 'url',
}

/**
 * With a heading line that has `value` in it (then any of type, score, tlp, tags, sources,
 * valid_from, valid_until, revoked, description), or one value a line. `#` begins a comment; the
 * last one before the rows may be the heading, as in the files of abuse.ch.
 */
export function parseCsv(text: string): ParsedFile {
  const { rows: lines, comment } = csvRows(text)
  const rows = lines.map(({ cells }) => cells)
  const own = headingOf(rows[0] ?? [])
  const commented = headingOf(comment)
  const hasHeading = own.includes('value')
  const isCommented = !hasHeading && commented.includes('value') && commented.length > 1
  const names = hasHeading ? own : isCommented ? commented : ['value']
  const candidates: Candidate[] = []
  const skipped: Skipped[] = []
  for (const [index, row] of rows.slice(hasHeading ? 1 : 0).entries()) {
    const cells = Object.fromEntries(names.map((name, at) => [name, row[at]?.trim() ?? '']))
    const read = readRow(cells, index)
    if (typeof read === 'string') skipped.push({ index, reason: read })
    else candidates.push(...read)
  }
  return { candidates, skipped }
}

/** A name that comes twice counts where it comes first. */
const headingOf = (row: string[]) =>
  row.map(nameOf).map((name, at, all) => (all.indexOf(name) === at ? name : ''))

function nameOf(cell: string): string {
  const name = cell.trim().toLowerCase().replaceAll(' ', '_')
  return lookUp(NAMES, name) ?? name
}

function readRow(cells: Record<string, string>, index: number): Candidate[] | string {
  const { type = '', score = '', tlp = '', revoked = '' } = cells
  const parts = indicatorsIn(type.toLowerCase(), cells.value ?? '')
  if (!parts) return `type: ${type} is not supported`
  if (score !== '' && !/^\d{1,3}$/.test(score)) return 'score: must be a number from 0 to 100'
  const implied = cells.to_ids === '0' ? CONTEXT_SCORE : undefined
  const about = {
    score: score === '' ? implied : Number(score),
    tlp: tlpOf(tlp.toLowerCase().startsWith('tlp:') ? tlp : `tlp:${tlp}`),
    valid_from: momentOf(cells.valid_from),
    valid_until: momentOf(cells.valid_until),
    revoked: /^(true|yes|1)$/i.test(revoked),
    sources: listOf(cells.sources),
    tags: listOf(cells.tags),
    description: cells.description || undefined,
  }
  return parts.map((part) => ({ index, ...part, ...about }))
}

/** One, or those of a pair of MISP; nothing for a type that is not known. */
function indicatorsIn(
  type: string,
  value: string,
): Pick<Candidate, 'type' | 'value'>[] | undefined {
  if (type === '') return [{ value }]
  const known = lookUp(TYPES, type) ?? IocType.safeParse(type).data
  if (!known) return partsOf(type, value)
  return [{ type: known, value: type === 'ip:port' ? value.replace(/:\d+$/, '') : value }]
}

/** `2026-01-02 03:04:05` is in UTC where feeds write it, wherever this machine stands. */
const momentOf = (cell = '') =>
  cell.replace(/^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)$/, '$1T$2Z') || undefined

const listOf = (cell = '') =>
  cell
    .split(/[|;]/)
    .map((one) => one.trim())
    .filter((one) => one !== '')
