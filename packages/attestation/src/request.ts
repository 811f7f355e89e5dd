/** What a device is asked. The same `id` may come again: it is still one request. */
export type AttestationRequest = {
  id: string
  device_id: string
  /** 32 random bytes as base64url; the answer carries them. */
  nonce: string
  requested_at: string
  /** An answer that comes later is refused. */
  expires_at: string
}

export const encodeRequest = (request: AttestationRequest): Buffer =>
  Buffer.from(JSON.stringify({ event: 'attestation_request', ...request }))

/** Undefined when it is no request that could be answered. */
export function parseRequest(payload: Uint8Array): AttestationRequest | undefined {
  const fields = jsonOf(payload)
  if (fields?.event !== 'attestation_request') return undefined
  const { id, device_id, nonce, requested_at, expires_at } = fields
  const request = { id, device_id, nonce, requested_at, expires_at }
  const isComplete = Object.values(request).every((value) => typeof value === 'string')
  return isComplete ? (request as AttestationRequest) : undefined
}

function jsonOf(payload: Uint8Array): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload).toString('utf8'))
    return typeof value === 'object' && value !== null ? { ...value } : undefined
  } catch {
    return undefined
  }
}
