import { createPrivateKey } from 'node:crypto'
import { signMessage } from '@manara/attestation/message-signature'
import type { SocClient } from '../../ports/soc-client.ts'
import type { AuditBuffer } from './audit-buffer.ts'
import type { Enrolment } from './soc-files.ts'

const AT_ONCE = 200

export type ShipDeps = {
  client: SocClient
  buffer: AuditBuffer
  /** Unix milliseconds; the platform's clock corrects it. */
  now(): number
}

export type Shipper = ReturnType<typeof createShipper>

/** Sends what waits, oldest first; what the platform has taken is no longer kept. */
export function createShipper({ client, buffer, now }: ShipDeps) {
  /** What the platform's clock is ahead: that of a box may be years off. */
  let ahead = 0

  async function send({ soc, soc_ca, device_id, key, fingerprint }: Enrolment) {
    const waiting = buffer.oldest(AT_ONCE)
    const last = waiting.at(-1)
    if (!last) return 'nothing' as const
    const url = new URL(`/api/v1/cps/devices/${device_id}/logs`, soc)
    const events = waiting.map(({ id, body }) => ({ id, ...body }))
    const body = Buffer.from(JSON.stringify({ events }))
    const created = Math.floor((now() + ahead) / 1000)
    const headers = signMessage(
      { method: 'POST', path: url.pathname, body },
      { key: createPrivateKey(key), fingerprint, created },
    )
    const reply = await client.post(url, body, { headers, ca: soc_ca })
    if (reply.status === 200) {
      buffer.remove(last.seq)
      return 'sent' as const
    }
    if (reply.date !== undefined) ahead = reply.date - now()
    const { detail } = (reply.body ?? {}) as { detail?: unknown }
    throw new Error(`${url.host} says: ${typeof detail === 'string' ? detail : reply.status}`)
  }

  return {
    /** Until nothing waits; rejects with why it could not. */
    async ship(enrolment: Enrolment): Promise<void> {
      while ((await send(enrolment)) === 'sent');
    },
  }
}
