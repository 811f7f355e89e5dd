import type { Component, FirmwareCreate, FirmwareImportResult } from '@manara/soc-contract/firmware'
import type { z } from 'zod'

export type ParsedComponent = Omit<Component, 'id' | 'firmware_id'>

export type ParsedFirmware = FirmwareCreate & {
  /** Where in the file it is. */
  place: string
  /** Undefined where the file is no bill of materials: what is known stays. */
  components?: ParsedComponent[]
}

export type Skipped = FirmwareImportResult['skipped'][number]

/** A bill of materials, in whichever format it came. */
export type Bom = {
  /** What the file says of the firmware itself. */
  about: {
    vendor: string | null
    product: string | null
    version: string | null
    sha256: string | null
    released_at: string | null
  }
  /** Undefined where the file lists none, as one does that is about its faults alone. */
  components: ParsedComponent[] | undefined
  skipped: Skipped[]
}

/** What a whole file is told instead of being taken: begins with the field. */
export type Problem = { problem: string }

export type Parsed = { firmware: ParsedFirmware[]; skipped: Skipped[] } | Problem

export const MOST_COMPONENTS = 50_000
export const MOST_ROWS = 20_000

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Text that the database can hold, cut to fit; null for anything else or nothing. */
export function textOf(value: unknown, most: number): string | null {
  if (typeof value !== 'string') return null
  const text = cut(value.replaceAll('\0', '').trim(), most)
  return text === '' ? null : text
}

/** No half of a character at its end. */
export const cut = (text: string, most: number) => text.slice(0, most).toWellFormed()

export const hashOf = (value: unknown): string | null =>
  typeof value === 'string' && /^[0-9a-f]{64}$/i.test(value.trim())
    ? value.trim().toLowerCase()
    : null

export function firstIssue(error: z.ZodError): string {
  const [issue] = error.issues
  const field = issue?.path.join('.') ?? ''
  return field === '' ? (issue?.message ?? 'is invalid') : `${field}: ${issue?.message}`
}
