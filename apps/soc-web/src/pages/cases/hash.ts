import { canonicalJson } from '@manara/soc-contract/canonical-json'

/** A browser hashes only what is in memory whole. */
export const MOST_HASHED = 2 ** 30

/** Browsers hash on https and on this machine; elsewhere the hash has to be typed. */
export const canHash = () => globalThis.crypto?.subtle !== undefined

export async function sha256(data: string | ArrayBuffer): Promise<string> {
  const bytes = typeof data === 'string' ? new TextEncoder().encode(data) : data
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** What of an event is hashed: all of it, in the one spelling that anybody can make again. */
export const spelled = (event: object) => canonicalJson(JSON.parse(JSON.stringify(event)))
