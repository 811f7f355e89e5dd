import { z } from 'zod'
import { shownName } from './shown-name.ts'
import { Target } from './target.ts'

export const SECOND_TAPS = ['toggle', 'restart', 'next', 'ignore'] as const

/** Upper-case hex without what people and readers put between the bytes. */
export const normalizeUid = (text: string): string => text.replace(/[\s:._-]/g, '').toUpperCase()

/** What a reader can tell of a card: 4, 7 or 10 bytes (ISO 14443-3, single to triple size). */
export const CardUid = z
  .string()
  .max(64)
  .overwrite(normalizeUid)
  .regex(/^([0-9A-F]{8}|[0-9A-F]{14}|[0-9A-F]{20})$/, 'must be 8, 14 or 20 hex digits')
  .describe('Separators are accepted and dropped')

const fields = {
  name: shownName(200),
  binding: Target.describe('What a tap sets off'),
  second_tap: z
    .enum(SECOND_TAPS)
    .describe('What a tap does while what this card started still plays or is paused'),
}

export const CardBody = z.strictObject({
  uid: CardUid,
  ...fields,
  second_tap: fields.second_tap.optional(),
})
export type CardBody = z.infer<typeof CardBody>

export const CardPatch = z
  .strictObject(fields)
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, {
    path: ['name'],
    message: 'send at least one field to change',
  })
export type CardPatch = z.infer<typeof CardPatch>

export const Card = z.object({
  uid: z.string().describe('Upper-case hex, 8, 14 or 20 digits'),
  ...fields,
  created_at: z.int().describe('Unix seconds'),
  last_tapped: z.int().nullable().describe('Unix seconds'),
})
export type Card = z.infer<typeof Card>

export const CardList = z.object({ cards: z.array(Card) })
export const CardReply = Card.extend({ success: z.literal(true) })

/** Anything that is not the UID of a card is in a path simply unknown. */
export const UidParams = z.object({ uid: z.string() })
export const CardDeleted = z.object({ success: z.literal(true), uid: z.string() })

export const Scan = z.object({
  uid: z.string().describe('Empty when nothing has been tapped yet'),
  uid_len: z.int().describe('Bytes of the UID'),
  registered: z.boolean(),
  age_ms: z.int().describe('Since the tap; -1 when nothing has been tapped yet'),
})
export type Scan = z.infer<typeof Scan>

export type NfcEvent = { uid: string; uid_len: number; registered: boolean; name: string }

/**
 * That the cards have changed, and how many there are. Which they are takes the token, which the
 * WebSocket does not ask for: `GET /rfid/cards`.
 */
export type CardsEvent = {
  uid: string
  change: 'added' | 'edited' | 'removed' | 'tapped'
  count: number
}
