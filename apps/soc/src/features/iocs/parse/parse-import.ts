import { randomUUIDv7 } from 'node:crypto'
import type { IocImportResult } from '@manara/soc-contract/iocs'
import { newIndicator } from '../domain/too-wide.ts'
import type { IncomingIoc } from '../merge-iocs.ts'
import {
  type Candidate,
  type Ignored,
  isRecord,
  type ParsedFile,
  recordsOf,
  type Skipped,
  strictest,
} from './candidate.ts'
import { parseCsv } from './parse-csv.ts'
import { parseMisp } from './parse-misp.ts'
import { parseStix } from './parse-stix.ts'

export type ImportFile = { text: string; isCsv: boolean; now: number; defaultSource: string }

export type ReadImport =
  | { problem: string }
  | {
      format: IocImportResult['format']
      /** JSON of lists of IncomingIoc, ready for the database. */
      batches: string[]
      skipped: Skipped[]
      skippedCount: number
      ignored: Ignored[]
    }

const BATCH = 1_000
const LISTED = 1_000

/** Recognises, checks and joins what a file holds; all of it is plain computing, and may be much. */
export function readImport(file: ImportFile): ReadImport {
  const read = file.isCsv
    ? ({ format: 'csv', parsed: parseCsv(file.text) } as const)
    : readJson(file.text)
  if ('problem' in read) return read
  const { candidates, skipped, ignored = [] } = read.parsed
  const known = new Map<string, IncomingIoc>()
  for (const candidate of candidates) {
    const ioc = check(candidate, file)
    if (typeof ioc === 'string') {
      skipped.push({ index: candidate.index, reason: ioc })
      continue
    }
    const key = `${ioc.type} ${ioc.value}`
    const before = known.get(key)
    known.set(key, before ? joined(before, ioc) : ioc)
  }
  skipped.sort((a, b) => a.index - b.index)
  // In one order for all: two imports of the same values then never wait for each other in a ring.
  const ordered = [...known.keys()].sort().map((key) => known.get(key))
  const batches: string[] = []
  for (let at = 0; at < ordered.length; at += BATCH) {
    batches.push(JSON.stringify(ordered.slice(at, at + BATCH)))
  }
  return {
    format: read.format,
    batches,
    skipped: skipped.slice(0, LISTED),
    skippedCount: skipped.length,
    ignored,
  }
}

type Read = { format: 'stix' | 'misp'; parsed: ParsedFile } | { problem: string }

function readJson(text: string): Read {
  let file: unknown
  try {
    file = JSON.parse(text)
  } catch (error) {
    return { problem: `is not valid JSON: ${(error as Error).message}` }
  }
  // A page of TAXII is a bundle without its type.
  if (isRecord(file) && (file.type === 'bundle' || recordsOf(file.objects).length > 0)) {
    return { format: 'stix', parsed: parseStix(file) }
  }
  const [first] = Array.isArray(file) ? file : [file]
  if (isRecord(first) && (first.Event || first.response || first.Attribute)) {
    return { format: 'misp', parsed: parseMisp(file) }
  }
  return {
    problem:
      'is neither a STIX bundle (type: bundle) nor MISP (Event, response or Attribute); send CSV as text/csv',
  }
}

function check(candidate: Candidate, { now, defaultSource }: ImportFile): IncomingIoc | string {
  const indicator = newIndicator(storable(candidate.value, 4_096), candidate.type)
  if (typeof indicator === 'string') return `value: ${indicator}`
  const { score = 50, tlp = 'amber', revoked = false, sources, tags, description } = candidate
  if (score < 0 || score > 100) return 'score: must be a number from 0 to 100'
  const from = momentOf(candidate.valid_from)
  const until = momentOf(candidate.valid_until)
  if (from === null) return 'valid_from: is not a time'
  if (until === null) return 'valid_until: is not a time'
  const isOver = until !== undefined && until <= Math.max(from ?? 0, now)
  // What is taken back is taken back, also when it would have ended by itself meanwhile.
  if (isOver && !revoked) {
    return until <= now ? 'valid_until: is over' : 'valid_until: lies before valid_from'
  }
  return {
    ...indicator,
    id: randomUUIDv7(),
    score: Math.round(score),
    tlp,
    revoked,
    valid_from: from === undefined ? undefined : new Date(from).toISOString(),
    valid_until: until === undefined || isOver ? undefined : new Date(until).toISOString(),
    sources: labels(sources.length > 0 ? sources : [defaultSource]),
    tags: labels(tags),
    description: description ? storable(description, 5_000) : undefined,
  }
}

/** Null for what is no time, or one that the database cannot hold. */
function momentOf(text: string | undefined): number | undefined | null {
  if (text === undefined) return undefined
  const moment = Date.parse(text)
  return moment >= 0 && moment < Date.UTC(9999, 11, 31) ? moment : null
}

const storable = (text: string, max: number) =>
  text.slice(0, max).replaceAll('\0', '').toWellFormed()

const labels = (texts: string[]) =>
  [...new Set(texts.map((text) => storable(text.trim(), 100)).filter(Boolean))].slice(0, 100)

/** Valid for as long as one of them is; without a time, from now and without an end. */
const joined = (a: IncomingIoc, b: IncomingIoc): IncomingIoc => ({
  ...a,
  valid_from: a.valid_from && b.valid_from && [a.valid_from, b.valid_from].sort()[0],
  valid_until: a.valid_until && b.valid_until && [a.valid_until, b.valid_until].sort()[1],
  score: Math.max(a.score, b.score),
  tlp: strictest([a.tlp, b.tlp]) ?? a.tlp,
  revoked: a.revoked === true || b.revoked === true,
  sources: labels([...a.sources, ...b.sources]),
  tags: labels([...a.tags, ...b.tags]),
  description: a.description ?? b.description,
})
