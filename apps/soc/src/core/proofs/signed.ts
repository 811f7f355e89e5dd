import { type KeyObject, verify } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { Signer } from '../../ports/signer.ts'
import { keyIdOf } from './signer.ts'

type Signed<T> = T & { key_id: string; signature: string }

/** Signs the canonical JSON of the whole record, the name of the key included. */
export async function signRecord<T extends object>(signer: Signer, record: T): Promise<Signed<T>> {
  const named = { ...record, key_id: keyIdOf(signer.publicKey) }
  const signature = await signer.sign(Buffer.from(canonicalJson(named)))
  return { ...named, signature: signature.toString('base64') }
}

/** Whether one of these keys has signed exactly this. */
export function isGenuine(
  { signature, ...named }: { key_id: string; signature: string },
  keys: ReadonlyMap<string, KeyObject>,
): boolean {
  const key = keys.get(named.key_id)
  if (!key) return false
  try {
    return verify(null, Buffer.from(canonicalJson(named)), key, Buffer.from(signature, 'base64'))
  } catch {
    return false
  }
}
