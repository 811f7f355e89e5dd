import { z } from 'zod'
import { isStorable } from './storable.ts'

export const text = (max: number) =>
  z.string().max(max).refine(isStorable, 'must be valid Unicode without NUL')

export const filledText = (max: number) =>
  text(max).refine((value) => value.trim() !== '', 'must not be empty')

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Of a record of ours: in capitals it is the same one. */
export const RecordId = text(200).overwrite((id) => (UUID.test(id) ? id.toLowerCase() : id))

/** As long as an event's id may be. */
export const LogId = text(512).min(1)

/** A JSON object of the caller's own making, kept as it came. */
export const JsonObject = z
  .record(z.string(), z.unknown())
  .refine(isStorableJson, 'must be valid Unicode without NUL and at most 32 levels deep')

function isStorableJson(value: unknown, depth = 0): boolean {
  if (depth > 32) return false
  if (typeof value === 'string') return isStorable(value)
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).every(
    ([key, child]) => isStorable(key) && isStorableJson(child, depth + 1),
  )
}

/** The user behind the name beside it, which may be given again; none for agents, playbooks and former users. */
export const UserId = z.string().nullable().optional()

export const Timestamp = z.iso.datetime({ offset: true })
