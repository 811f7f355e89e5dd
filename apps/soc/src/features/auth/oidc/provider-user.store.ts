import { randomBytes } from 'node:crypto'
import { Role } from '@manara/soc-contract/permissions'
import { sql } from 'kysely'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { hashPassword } from '../../../core/identity/passwords.ts'
import type { TokenOwner } from '../../../core/identity/tokens.ts'
import type { ProviderAccount } from '../../../ports/identity-provider.ts'
import { usernameOf } from './domain/provider-user.ts'
import { OidcProblem } from './problems.ts'

/**
 * The user of this account, made at their first sign-in. A local user of the same name or address is
 * somebody else: whoever could choose a name at the provider would take that account over.
 */
export async function userOfAccount(
  change: ChangeContext,
  account: ProviderAccount,
  role: Role,
): Promise<TokenOwner> {
  const { tx } = change
  const known = await tx
    .selectFrom('users')
    .selectAll()
    .where('oidc_issuer', '=', account.issuer)
    .where('oidc_subject', '=', account.subject)
    .forUpdate()
    .executeTakeFirst()
  if (!known) return makeUser(change, account, role)
  if (known.disabled) throw new OidcProblem('disabled', known.username)
  if (known.role === role) return { ...known, role }

  if (known.role === 'admin') await keepOneAdmin(change, known.username)
  const changed = await tx
    .updateTable('users')
    .set({ role, session_stamp: sql<string>`gen_random_uuid()`, kept_jti: null })
    .where('id', '=', known.id)
    .returning(['id', 'username', 'role', 'session_stamp'])
    .executeTakeFirstOrThrow()
  await change.audit({
    action: 'user.update_by_provider',
    target: `user:${known.username}`,
    before: { role: known.role },
    after: { role },
  })
  return { ...changed, role: Role.parse(changed.role) }
}

async function makeUser({ tx, audit }: ChangeContext, account: ProviderAccount, role: Role) {
  const username = usernameOf(account)
  const made = await tx
    .insertInto('users')
    .values({
      username,
      // Nobody knows it: who came from the provider signs in there.
      password_hash: await hashPassword(randomBytes(32).toString('base64url')),
      role,
      full_name: account.fullName?.slice(0, 200) ?? null,
      email: account.email?.slice(0, 320) ?? null,
      oidc_issuer: account.issuer,
      oidc_subject: account.subject,
    })
    // No target: the same name in another spelling is taken as well.
    .onConflict((taken) => taken.doNothing())
    .returning(['id', 'username', 'role', 'session_stamp'])
    .executeTakeFirst()
  if (!made) throw new OidcProblem('name_taken', username)
  await audit({
    action: 'user.create_by_provider',
    target: `user:${username}`,
    after: { id: made.id, username, role, oidc_issuer: account.issuer },
  })
  return { ...made, role }
}

/** Holds them all: two admins who are none any more at the same moment cannot both succeed. */
async function keepOneAdmin({ tx }: ChangeContext, username: string) {
  const others = await tx
    .selectFrom('users')
    .select('username')
    .where('role', '=', 'admin')
    .where('disabled', '=', false)
    .where('username', '!=', username)
    .orderBy('username')
    .forUpdate()
    .execute()
  if (others.length === 0) throw new OidcProblem('last_admin', username)
}
