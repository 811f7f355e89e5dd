import { AppError } from '@manara/kit/errors'
import type { Kysely } from 'kysely'
import type { Sealing } from '../../core/keys/sealing.ts'
import type { Tables } from '../../db/tables.ts'
import { openSecrets } from './open-secrets.ts'

const NAMED = /^secret:(.+)$/

/** The secret that a setting names instead of holding it: `secret:edr-key`. */
export const secretNamedBy = (setting: string | undefined): string | undefined =>
  NAMED.exec(setting ?? '')?.[1]

/**
 * What a connector signs in with at `url`. One that is stored is read for each call: another value
 * counts at once, and what nobody calls is not in memory.
 */
export function credentialOf(
  { db, sealing }: { db: Kysely<Tables>; sealing: Sealing },
  setting: string,
  url: string,
): () => Promise<string> {
  const name = secretNamedBy(setting)
  if (name === undefined) return async () => setting
  const { host, hostname } = new URL(url)
  return async () => {
    const [secret] = await openSecrets(sealing, db, [name])
    const { value = '', hosts = [] } = secret ?? {}
    if (hosts.length === 0 || hosts.includes(host) || hosts.includes(hostname)) return value
    throw new AppError(
      400,
      `secrets.${name}: may only be sent to ${hosts.join(', ')}, not to ${host}`,
    )
  }
}
