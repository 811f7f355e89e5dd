import { type AttestationRequest, encodeRequest } from '@manara/attestation/request'
import { requestTopic } from '@manara/attestation/topics'
import { type Kysely, sql } from 'kysely'
import type { DeliveryPhase } from '../../../db/tables/cps.ts'
import type { Tables } from '../../../db/tables.ts'
import type { OutgoingMessage } from '../../../ports/device-broker.ts'

type Db = Kysely<Tables>
type Row = { device_id: string; payload: object; message_id: number; phase: DeliveryPhase }

const AT_ONCE = 200

/**
 * Requests that wait for a device that can take them, each given its packet: from now on it is sent
 * as this one, by whoever has the device, until the device has it.
 */
export async function claimWaiting(db: Db, reachable: string[] | 'all', now: number) {
  if (reachable.length === 0) return { messages: [], isMoreLeft: false }
  const isReachable =
    reachable === 'all' ? sql<boolean>`true` : sql<boolean>`device_id = ANY(${reachable}::uuid[])`
  const { rows } = await sql<Row>`
    UPDATE cps_outbox SET phase = 'published', message_id = nextval('cps_message_ids'),
      attempts = attempts + 1
    WHERE attestation_id IN (
      SELECT attestation_id FROM cps_outbox
      WHERE phase = 'waiting' AND expires_at > ${new Date(now)} AND ${isReachable}
      ORDER BY next_attempt_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED)
    RETURNING device_id, payload, message_id, phase`.execute(db)
  return { messages: rows.map(toMessage), isMoreLeft: rows.length === AT_ONCE }
}

/** What was under way to a device when its connection or this service ended. */
export async function underWayTo(db: Db, deviceId: string, now: number) {
  const rows = await db
    .selectFrom('cps_outbox')
    .select(['device_id', 'payload', 'message_id', 'phase'])
    .where('device_id', '=', deviceId)
    .where('phase', 'in', ['published', 'received'])
    .where('expires_at', '>', new Date(now))
    .orderBy('next_attempt_at')
    .execute()
  return rows.map((row) => ({
    message: toMessage(row as Row),
    phase: row.phase as 'published' | 'received',
  }))
}

/** The device has forgotten what was under way: it is sent as new. */
export async function sendAnew(db: Db, deviceId: string): Promise<void> {
  await db
    .updateTable('cps_outbox')
    .set({ phase: 'waiting', message_id: null })
    .where('device_id', '=', deviceId)
    .where('phase', 'in', ['published', 'received'])
    .execute()
}

/** Of every device: what was under way when this service ended, or what a broker may have lost. */
export async function sendAllAnew(db: Db, phase: 'published' | 'delivered'): Promise<void> {
  await db
    .updateTable('cps_outbox')
    .set({ phase: 'waiting', message_id: null })
    .where('phase', '=', phase)
    .execute()
}

/** A broker beside us has it: when it reaches the device is seen by the answer. */
export async function noteTaken(db: Db, { deviceId, messageId }: OutgoingMessage): Promise<void> {
  await db
    .updateTable('cps_outbox')
    .set({ phase: 'delivered' })
    .where('device_id', '=', deviceId)
    .where('message_id', '=', messageId)
    .execute()
}

export async function noteReceived(db: Db, deviceId: string, messageId: number): Promise<void> {
  await db
    .updateTable('cps_outbox')
    .set({ phase: 'received' })
    .where('device_id', '=', deviceId)
    .where('message_id', '=', messageId)
    .where('phase', '=', 'published')
    .execute()
}

export async function noteDelivered(db: Db, deviceId: string, messageId: number, now: number) {
  // The request is locked before its packet, as an answer does it that may come this very moment.
  await sql`
    WITH request AS (
      SELECT id FROM cps_attestations WHERE id IN (
        SELECT attestation_id FROM cps_outbox
        WHERE device_id = ${deviceId} AND message_id = ${messageId})
      FOR UPDATE),
    delivered AS (
      UPDATE cps_outbox SET phase = 'delivered' FROM request
      WHERE cps_outbox.attestation_id = request.id AND message_id = ${messageId}
        AND phase IN ('published', 'received')
      RETURNING attestation_id)
    UPDATE cps_attestations SET status = 'delivered', delivered_at = ${new Date(now)}
    FROM delivered WHERE cps_attestations.id = delivered.attestation_id
      AND cps_attestations.status = 'requested'`.execute(db)
}

function toMessage({ device_id, payload, message_id }: Row): OutgoingMessage {
  return {
    deviceId: device_id,
    topic: requestTopic(device_id),
    payload: encodeRequest(payload as AttestationRequest),
    messageId: message_id,
  }
}
