import type { FieldValue } from '@manara/log-query/event'
import type { Fields } from '../fields.ts'

/** Names of columns and fields, with what was found for them. */
export type Found = Record<string, FieldValue>
export type ReadMessage = (message: string) => Found | undefined
export type ReadEvent = (log: {
  message: string
  fields: Fields
  original: string | null
}) => Found | undefined
