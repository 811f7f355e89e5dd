import { type Sealing, WrongKey } from '../../core/keys/sealing.ts'
import type { SecretRow } from './secrets.store.ts'

type Purpose = Pick<SecretRow, 'name' | 'hosts'>
type Sealed = Purpose & Pick<SecretRow, 'sealed_value'>

/**
 * What a secret is sealed for: who owns the database can neither give one the name of another nor
 * let it be sent elsewhere.
 */
const purposeOf = ({ name, hosts }: Purpose) =>
  [`the secret ${name}`, ...(hosts.length > 0 ? [`for ${hosts.join(', ')}`] : [])].join(' ')

export const sealSecret = (sealing: Sealing, secret: Purpose & { value: string }) =>
  sealing.seal(secret.value, purposeOf(secret))

/** Throws `WrongKey` when it was sealed with another key file, or was changed. */
export const unsealSecret = (sealing: Sealing, row: Sealed): string =>
  sealing.open(row.sealed_value, purposeOf(row)).toString('utf8')

export function isReadable(sealing: Sealing, row: Sealed): boolean {
  try {
    unsealSecret(sealing, row)
    return true
  } catch (error) {
    if (error instanceof WrongKey) return false
    throw error
  }
}
