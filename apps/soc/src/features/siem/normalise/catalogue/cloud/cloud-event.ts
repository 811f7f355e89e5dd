import type { FieldValue } from '@manara/log-query/event'
import type { Severity } from '@manara/soc-contract/severity'
import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import { type Parsed, type ParseObject, pick } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { momentOf } from '../../timestamps.ts'

/** Where a service puts what every event has: the first name that holds something counts. */
export type Places = {
  source: string
  at: string[]
  user?: string[]
  /** The machine it is about. */
  machine?: string[]
  process?: string[]
  code?: string[]
  from?: string[]
  to?: string[]
  message?: string[]
  outcome?: (of: Of, fields: Fields) => string | undefined
  severity?: (of: Of) => Severity | undefined
  /** Names of ECS, and where they stand. */
  shared?: Record<string, string[]>
  /** What is not to be found under one name. */
  more?: (of: Of, object: Record<string, unknown>) => Record<string, FieldValue | undefined>
}

export type Of = (...names: string[]) => string | undefined

const NUMBERS = new Set(['source.port', 'destination.port', 'http.response.status_code'])

/** Reads an event of a service that writes its names always alike. */
export function readPlaces(places: Places): ParseObject {
  const { source, user = [], machine = [], process = [], code = [], message = [] } = places
  return (fields, { receivedAt, object }): Parsed => {
    const of: Of = (...names) => pick(fields, names)
    const shared: Record<string, FieldValue | undefined> = {
      'event.action': of(...code),
      'event.outcome': places.outcome?.(of, fields),
    }
    for (const name in places.shared) {
      const value = of(...(places.shared[name] ?? []))
      shared[name] = NUMBERS.has(name) ? numberIn(value) : value
    }
    return {
      source,
      at: firstMoment(fields, places.at, receivedAt),
      machine: of(...machine),
      host: of(...machine),
      severity: places.severity?.(of),
      message: of(...message),
      user: of(...user),
      process: of(...process),
      event_code: of(...code),
      src_ip: firstAddress(of, places.from),
      dst_ip: firstAddress(of, places.to),
      fields: keptFields({ ...shared, ...places.more?.(of, object) }),
    }
  }
}

function firstMoment(fields: Fields, names: string[], receivedAt: number): number | undefined {
  for (const name of names) {
    const value = fields[name]
    const at = value === undefined ? undefined : momentOf([value].flat()[0], receivedAt)
    if (at !== undefined) return at
  }
  return undefined
}

function firstAddress(of: Of, names: string[] = []): string | undefined {
  for (const name of names) {
    const found = addressOf(of(name))
    if (found) return found
  }
  return undefined
}

const GOOD = /^(?:0|ok|success|succeeded|successful|true|allow|allowed|passed|granted)$/i
const BAD = /^(?:fail|failed|failure|false|deny|denied|error|blocked|interrupted|timeout|fraud)$/i

/** The words that services have for what came of it. */
export function outcomeIn(word: string | undefined): string | undefined {
  if (word === undefined) return undefined
  if (GOOD.test(word)) return 'success'
  return BAD.test(word) ? 'failure' : undefined
}

export const mapOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}

export const listOf = (value: unknown): unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]
