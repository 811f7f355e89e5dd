import type { IocType } from '@manara/soc-contract/iocs'
import {
  type Candidate,
  isRecord,
  lookUp,
  type ParsedFile,
  recordsOf,
  type Skipped,
  strictest,
  textOf,
  tlpOf,
} from './candidate.ts'

type MispRecord = Record<string, unknown>

/** Attribute types of MISP, part by part where a bar joins two; null is a part that is no indicator. */
const TYPES: Record<string, (IocType | 'any' | null)[]> = {
  'ip-src': ['any'],
  'ip-dst': ['any'],
  'ip-src|port': ['ip', null],
  'ip-dst|port': ['ip', null],
  domain: ['domain'],
  hostname: ['domain'],
  'hostname|port': ['domain', null],
  'domain|ip': ['domain', 'ip'],
  url: ['url'],
  uri: ['url'],
  md5: ['md5'],
  sha1: ['sha1'],
  sha256: ['sha256'],
  'filename|md5': [null, 'md5'],
  'filename|sha1': [null, 'sha1'],
  'filename|sha256': [null, 'sha256'],
  imphash: ['imphash'],
  'filename|imphash': [null, 'imphash'],
  'malware-sample': [null, 'md5'],
  email: ['email'],
  'email-src': ['email'],
  'email-dst': ['email'],
  vulnerability: ['cve'],
}

// Threat level of the event: high, medium, low, undefined.
const SCORES: Record<string, number> = { 1: 85, 2: 65, 3: 45, 4: 50 }
// "Not for detection", say those who wrote it.
const CONTEXT_SCORE = 20

/** One event, `{response: […]}` of a search, a list of events, or bare attributes. */
export function parseMisp(file: unknown): ParsedFile {
  const candidates: Candidate[] = []
  const skipped: Skipped[] = []
  let index = 0
  for (const event of eventsOf(file)) {
    for (const attribute of attributesOf(event)) {
      const read = readAttribute(event, attribute, index)
      if (typeof read === 'string') skipped.push({ index, reason: read })
      else candidates.push(...read)
      index += 1
    }
  }
  return { candidates, skipped }
}

/** A list of answers with a list of events each is the deepest that there is. */
const DEEPEST = 4

function eventsOf(file: unknown, depth = 0): MispRecord[] {
  if (depth > DEEPEST) return []
  if (Array.isArray(file)) return file.flatMap((part) => eventsOf(part, depth + 1))
  if (!isRecord(file)) return []
  if (isRecord(file.Event)) return [file.Event]
  if (file.response !== undefined) return eventsOf(file.response, depth + 1)
  return Array.isArray(file.Attribute) ? [file] : []
}

const attributesOf = (event: MispRecord): MispRecord[] => [
  ...recordsOf(event.Attribute),
  ...recordsOf(event.Object).flatMap((object) => recordsOf(object.Attribute)),
]

function readAttribute(event: MispRecord, attribute: MispRecord, index: number) {
  const type = textOf(attribute.type)?.slice(0, 100) ?? 'none'
  const parts = lookUp(TYPES, type)
  if (!parts) return `attributes of the type ${type} are not supported`
  const texts = (textOf(attribute.value) ?? '').split(parts.length > 1 ? '|' : '\n')
  const tags = [...tagsOf(event), ...tagsOf(attribute)]
  const owner = isRecord(event.Orgc) ? textOf(event.Orgc.name) : undefined
  const score = lookUp(SCORES, String(event.threat_level_id)) ?? 50
  return parts.flatMap((part, place): Candidate[] =>
    part === null
      ? []
      : [
          {
            index,
            value: texts[place] ?? '',
            type: part === 'any' ? undefined : part,
            score: attribute.to_ids === false ? CONTEXT_SCORE : score,
            tlp: strictest(tags.map(tlpOf)),
            valid_from: textOf(attribute.first_seen) ?? momentOf(attribute.timestamp),
            revoked: attribute.deleted === true,
            sources: [owner ?? 'MISP'],
            tags: tags.filter((tag) => tlpOf(tag) === undefined),
            description: textOf(attribute.comment) || textOf(event.info),
          },
        ],
  )
}

const tagsOf = (record: MispRecord) =>
  recordsOf(record.Tag)
    .map(({ name }) => textOf(name))
    .filter((name) => name !== undefined)

/** Seconds since 1970, as text. */
function momentOf(timestamp: unknown): string | undefined {
  const seconds = Number(timestamp)
  return seconds > 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : undefined
}
