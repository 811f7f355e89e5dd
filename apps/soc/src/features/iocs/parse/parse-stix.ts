import {
  type Candidate,
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
  const objects = recordsOf(bundle.objects)
  const names = new Map(
    objects.map((object) => [textOf(object.id) ?? '', textOf(object.name)] as const),
  )
  const candidates: Candidate[] = []
  const skipped: Skipped[] = []
  for (const [index, object] of objects.entries()) {
    if (object.type !== 'indicator' && object.type !== 'vulnerability') continue
    const values = valuesOf(object)
    if (typeof values === 'string') {
      skipped.push({ index, reason: values })
      continue
    }
    const source = names.get(textOf(object.created_by_ref) ?? '')
    for (const value of values) candidates.push({ index, ...value, ...about(object, source) })
  }
  return { candidates, skipped }
}

function valuesOf(object: StixObject) {
  if (object.type === 'vulnerability') {
    return [{ type: 'cve' as const, value: textOf(object.name) ?? '' }]
  }
  if (object.pattern_type !== undefined && object.pattern_type !== 'stix') {
    return `a pattern of the kind ${object.pattern_type} is not supported`
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
