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
import { CONTEXT_SCORE, partsOf } from './misp-types.ts'

type MispRecord = Record<string, unknown>

// Threat level of the event: high, medium, low, undefined.
const SCORES: Record<string, number> = { 1: 85, 2: 65, 3: 45, 4: 50 }
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
  const parts = partsOf(type, textOf(attribute.value) ?? '')
  if (!parts) return `attributes of the type ${type} are not supported`
  const tags = [...tagsOf(event), ...tagsOf(attribute)]
  const owner = isRecord(event.Orgc) ? textOf(event.Orgc.name) : undefined
  const score = lookUp(SCORES, String(event.threat_level_id)) ?? 50
  return parts.map(
    (part): Candidate => ({
      index,
      ...part,
      score: attribute.to_ids === false ? CONTEXT_SCORE : score,
      tlp: strictest(tags.map(tlpOf)),
      valid_from: textOf(attribute.first_seen) ?? momentOf(attribute.timestamp),
      revoked: attribute.deleted === true,
      sources: [owner ?? 'MISP'],
      tags: tags.filter((tag) => tlpOf(tag) === undefined),
      description: textOf(attribute.comment) || textOf(event.info),
    }),
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
