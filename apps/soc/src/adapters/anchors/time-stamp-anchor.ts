import { createHash, randomBytes } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { Anchor } from '../../ports/anchor.ts'

const PATIENCE_MS = 15_000
const SHA256_OID = Buffer.from('0609608648016503040201', 'hex')

/**
 * Asks a time-stamping authority (RFC 3161) to sign that the head existed. What is stamped is the
 * SHA-256 of the signed head's canonical JSON; the token goes into the file, for `openssl ts`.
 */
export function createTimeStampAnchor(url: string): Anchor {
  return {
    name: 'time stamp',
    async publish(head) {
      const imprint = createHash('sha256').update(canonicalJson(head)).digest()
      const nonce = randomBytes(8)
      nonce[0] = ((nonce[0] ?? 0) & 0x7f) | 0x01
      const reply = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/timestamp-query' },
        body: new Uint8Array(timeStampQuery(imprint, nonce)),
        redirect: 'error',
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const answer = Buffer.from(await reply.arrayBuffer())
      if (!reply.ok) throw new Error(`the time-stamping authority answered ${reply.status}`)
      requireGranted(answer, imprint, nonce)
      return {
        format: 'soc-time-stamp-1',
        chain: head.chain,
        size: head.size,
        imprint: imprint.toString('hex'),
        reply: answer.toString('base64'),
      }
    },
  }
}

/** TimeStampReq (RFC 3161, section 2.4.1), with the certificate asked for. */
function timeStampQuery(imprint: Buffer, nonce: Buffer): Buffer {
  const algorithm = der(0x30, SHA256_OID, Buffer.from('0500', 'hex'))
  return der(
    0x30,
    der(0x02, Buffer.of(1)),
    der(0x30, algorithm, der(0x04, imprint)),
    der(0x02, nonce),
    der(0x01, Buffer.of(0xff)),
  )
}

/** Short enough for one length byte, all of them. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([Buffer.of(tag, content.length), content])
}

/** Granted, and about this very question; who signed it is for the one who relies on it to check. */
function requireGranted(answer: Buffer, imprint: Buffer, nonce: Buffer) {
  const status = statusOf(answer)
  if (status !== 0 && status !== 1) throw new Error(`the time stamp was refused (status ${status})`)
  if (!answer.includes(der(0x04, imprint)) || !answer.includes(der(0x02, nonce))) {
    throw new Error('the time stamp is not for what was asked')
  }
}

/** TimeStampResp begins with SEQUENCE { SEQUENCE { INTEGER status … } … }. */
function statusOf(answer: Buffer): number | undefined {
  const outer = contentAt(answer, 0)
  const inner = outer && contentAt(outer, 0)
  const status = inner && contentAt(inner, 0)
  return status?.[0]
}

function contentAt(bytes: Buffer, at: number): Buffer | undefined {
  const first = bytes[at + 1]
  if (first === undefined) return undefined
  if (first < 0x80) return bytes.subarray(at + 2, at + 2 + first)
  const more = first & 0x7f
  if (more > 4 || at + 2 + more > bytes.length) return undefined
  const length = bytes.readUIntBE(at + 2, more)
  return bytes.subarray(at + 2 + more, at + 2 + more + length)
}
