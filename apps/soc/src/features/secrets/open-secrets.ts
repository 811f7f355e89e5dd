import { invalid } from '@manara/kit/errors'
import type { Logger } from '@manara/kit/logging'
import type { Kysely } from 'kysely'
import { type Sealing, WrongKey } from '../../core/keys/sealing.ts'
import type { Tables } from '../../db/tables.ts'
import { isReadable, unsealSecret } from './seal-secret.ts'
import { allSecrets, holdSecrets } from './secrets.store.ts'

export type OpenSecret = { name: string; value: string; hosts: string[] }

/** The values, for the call that is about to be made; the first that cannot be had is named. */
export async function openSecrets(
  sealing: Sealing,
  db: Kysely<Tables>,
  names: string[],
): Promise<OpenSecret[]> {
  const rows = new Map((await holdSecrets(db, names)).map((row) => [row.name, row]))
  return names.map((name) => {
    const row = rows.get(name)
    if (!row) throw invalid(`secrets.${name}`, `is not stored: PUT /secrets/${name} stores it`)
    try {
      return { name, hosts: row.hosts, value: unsealSecret(sealing, row) }
    } catch (error) {
      if (!(error instanceof WrongKey)) throw error
      throw invalid(`secrets.${name}`, `${error.message}, or store the secret again`)
    }
  })
}

/** Told at the start instead of in the night when a playbook needs one. */
export async function warnOfUnreadable({
  db,
  sealing,
  log,
}: {
  db: Kysely<Tables>
  sealing: Sealing
  log: Logger
}): Promise<void> {
  const rows = await allSecrets(db)
  const names = rows.filter((row) => !isReadable(sealing, row)).map(({ name }) => name)
  if (names.length === 0) return
  log.error(
    { secrets: names },
    'secrets were sealed with another key file: put that one back, name it in SOC_KEY_FILE, or store them again',
  )
}
