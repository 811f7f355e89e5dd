import type { IocType, Tlp } from '@manara/soc-contract/iocs'

/** An indicator as a file has it, not yet checked. */
export type Candidate = {
  /** Its place in the file. */
  index: number
  value: string
  type?: IocType | undefined
  score?: number | undefined
  tlp?: Tlp | undefined
  valid_from?: string | undefined
  valid_until?: string | undefined
  revoked?: boolean | undefined
  sources: string[]
  tags: string[]
  description?: string | undefined
}

export type Skipped = { index: number; reason: string }
/** Objects of a file that are no indicators, by their kind. */
export type Ignored = { type: string; count: number; reason: string }
export type ParsedFile = { candidates: Candidate[]; skipped: Skipped[]; ignored?: Ignored[] }

export const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined)

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []

export const recordsOf = (value: unknown): Record<string, unknown>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** What a file says may be any word, also one that every object of JavaScript knows. */
export const lookUp = <T>(table: Record<string, T>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined

const STRICTER: readonly Tlp[] = ['clear', 'green', 'amber', 'amber+strict', 'red']

/** Of several the one that lets the fewest know. */
export const strictest = (tlps: (Tlp | undefined)[]): Tlp | undefined =>
  STRICTER.findLast((tlp) => tlps.includes(tlp))

/** `TLP:AMBER+STRICT`, `tlp:white` … */
export function tlpOf(text: string): Tlp | undefined {
  const [, name] = /^tlp:\s*(clear|white|green|amber\+strict|amber|red)$/i.exec(text.trim()) ?? []
  const tlp = name?.toLowerCase()
  return tlp === 'white' ? 'clear' : (tlp as Tlp | undefined)
}
