import { conflict } from '@manara/kit/errors'
import type { Secret, SecretWrite } from '@manara/soc-contract/secrets'
import { type Kysely, sql } from 'kysely'
import type { ChangeContext } from '../../core/change/operator-change.ts'
import type { Sealing } from '../../core/keys/sealing.ts'
import type { Tables } from '../../db/tables.ts'
import { isReadable, sealSecret } from './seal-secret.ts'
import { type SecretRow, secretByName } from './secrets.store.ts'

export type SecretUsers = Map<string, Secret['used_by']>

export type SecretDeps = {
  sealing: Sealing
  /** The playbooks that name secrets, by the name of the secret. */
  readUsers(db: Kysely<Tables>): Promise<SecretUsers>
  /** The settings that name secrets, by the name of the setting. */
  settings: Readonly<Record<string, string | undefined>>
}

/** Makes it, or gives it another value; what used it uses the new one from then on. */
export async function writeSecret(
  sealing: Sealing,
  change: ChangeContext,
  name: string,
  { value, description, hosts }: SecretWrite,
): Promise<SecretRow> {
  const { username } = change.principal
  const fields = {
    ...{ description, hosts, updated_by: username },
    sealed_value: sealSecret(sealing, { name, hosts, value }),
  }
  const row = await change.tx
    .insertInto('secrets')
    .values({ ...fields, name, created_by: username })
    .onConflict((there) =>
      there.column('name').doUpdateSet({
        ...fields,
        version: sql`secrets.version + 1`,
        updated_at: sql`now()`,
      }),
    )
    .returningAll()
    .executeTakeFirstOrThrow()
  await change.audit({
    action: row.version === 1 ? 'secret.create' : 'secret.rotate',
    target: `secret:${name}`,
    after: { description, hosts, version: row.version },
  })
  return row
}

/** A playbook that is saved holds the secrets it names: nobody begins to use it in between. */
export async function deleteSecret(
  deps: Pick<SecretDeps, 'readUsers' | 'settings'>,
  change: ChangeContext,
  name: string,
) {
  const { version } = await secretByName(change.tx, name, 'for-change')
  const users = (await deps.readUsers(change.tx)).get(name) ?? []
  const names = [...users.map(({ playbook_id }) => playbook_id), ...settingsOf(deps, name)]
  if (names.length > 0) {
    throw conflict(`the secret ${name} is used by ${names.join(', ')}: change or delete them first`)
  }
  await change.tx.deleteFrom('secrets').where('name', '=', name).execute()
  await change.audit({ action: 'secret.delete', target: `secret:${name}`, before: { version } })
  return { deleted: true as const, name }
}

const settingsOf = ({ settings }: Pick<SecretDeps, 'settings'>, name: string): string[] =>
  Object.keys(settings).filter((setting) => settings[setting] === name)

export function toSecret(
  deps: Pick<SecretDeps, 'sealing' | 'settings'>,
  users: SecretUsers,
  { sealed_value, created_at, updated_at, ...shown }: SecretRow,
): Secret {
  return {
    ...shown,
    is_readable: isReadable(deps.sealing, { ...shown, sealed_value }),
    used_by: users.get(shown.name) ?? [],
    used_by_settings: settingsOf(deps, shown.name),
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  }
}
