import {
  type Candidate,
  type Ignored,
  isRecord,
  type ParsedFile,
  recordsOf,
  type Skipped,
  textOf,
  textsOf,
} from './candidate.ts'
import { tlpOfMarkings } from './stix-markings.ts'
import { patternValues } from './stix-pattern.ts'

type StixObject = Record<string, unknown>

/** Indicators and vulnerabilities of a STIX 2.1 bundle; its other objects are no indicators. */
export function parseStix(bundle: StixObject): ParsedFile {
  const given = Array.isArray(bundle.objects) ? bundle.objects : []
  const objects = recordsOf(given)
  const names = new Map(
    objects.map((object) => [textOf(object.id) ?? '', textOf(object.name)] as const),
  )
  const newest = newestOf(objects)
  const candidates: Candidate[] = []
  const skipped: Skipped[] = []
  const ignored = new Map<string, Ignored>()
  for (const [index, object] of given.entries()) {
    if (!isRecord(object)) {
      skipped.push({ index, reason: 'must be an object' })
      continue
    }
    if (object.type !== 'indicator' && object.type !== 'vulnerability') {
      ignore(ignored, textOf(object.type)?.slice(0, 100) ?? 'no type')
      continue
    }
    if (versionOf(object) < (newest.get(textOf(object.id) ?? '') ?? 0)) {
      skipped.push({ index, reason: 'the file has a newer version of it' })
      continue
    }
    const values = valuesOf(object)
    if (typeof values === 'string') {
      skipped.push({ index, reason: values })
      continue
    }
    const source = names.get(textOf(object.created_by_ref) ?? '')
    for (const value of values) candidates.push({ index, ...value, ...about(object, source) })
  }
  return { candidates, skipped, ignored: [...ignored.values()] }
}

function newestOf(objects: StixObject[]): Map<string, number> {
  const newest = new Map<string, number>()
  for (const object of objects) {
    const id = textOf(object.id)
    if (id) newest.set(id, Math.max(versionOf(object), newest.get(id) ?? 0))
  }
  return newest
}

const versionOf = ({ modified }: StixObject) => Date.parse(textOf(modified) ?? '') || 0

/** Observed data, and the parts of it, were seen somewhere: that alone makes them no indicators. */
const OBSERVED = new Set([
  ...['observed-data', 'ipv4-addr', 'ipv6-addr', 'domain-name', 'url', 'email-addr', 'file'],
  ...['email-message', 'artifact', 'network-traffic', 'process', 'windows-registry-key'],
])
/** A sender chooses the names: beyond this many they are counted together. */
const MOST_KINDS = 50

function ignore(ignored: Map<string, Ignored>, named: string) {
  const type = ignored.has(named) || ignored.size < MOST_KINDS ? named : 'other types'
  const known = ignored.get(type)
  if (known) known.count += 1
  else ignored.set(type, { type, count: 1, reason: reasonFor(type) })
}

function reasonFor(type: string): string {
  if (OBSERVED.has(type)) return 'an observation: only indicators say that something is malicious'
  if (type === 'no type') return 'has no type'
  return 'neither an indicator nor a vulnerability'
}

function valuesOf(object: StixObject) {
  if (object.type === 'vulnerability') {
    return [{ type: 'cve' as const, value: textOf(object.name) ?? '' }]
  }
  if (object.pattern_type !== undefined && object.pattern_type !== 'stix') {
    const kind = textOf(object.pattern_type)?.slice(0, 100) ?? 'that has no name'
    return `a pattern of the kind ${kind} is not supported`
  }
  return patternValues(textOf(object.pattern) ?? '')
}

function about(object: StixObject, source: string | undefined) {
  const { confidence } = object
  return {
    ...(typeof confidence === 'number' ? { score: confidence } : {}),
    tlp: tlpOfMarkings(textsOf(object.object_marking_refs)),
    valid_from: textOf(object.valid_from),
    valid_until: textOf(object.valid_until),
    revoked: object.revoked === true,
    sources: source ? [source] : [],
    tags: [...textsOf(object.labels), ...textsOf(object.indicator_types)],
    description: textOf(object.description),
  }
}
