import { AppError, unauthorized, unavailable } from '@manara/kit/errors'
import { Role } from '@manara/soc-contract/permissions'
import type { AuditEntry } from '../../core/audit/entry.ts'
import { hashPassword, isPassword } from '../../core/identity/passwords.ts'
import { signInLanes } from '../../core/identity/sign-in-lanes.ts'
import { knownPlace, type Place, rememberPlace } from '../../core/identity/sign-in-places.ts'
import type { SignInThrottle } from '../../core/identity/sign-in-throttle.ts'
import { SHOWCASE_STAMP, type TokenOwner, type Tokens } from '../../core/identity/tokens.ts'
import type { Mode } from '../../core/mode/mode.ts'
import type { Database } from '../../db/database.ts'

export type SignInDeps = {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  mode: Mode
  adminPassword: string | undefined
  tokens: Tokens
  throttle: SignInThrottle
  recordAudit(entries: AuditEntry[]): Promise<void>
}

type Attempt = {
  username: string
  password: string
  place: Place
  address: string
  request_id: string
}

/** Wrong name, wrong password and disabled user get the same answer after the same work. */
export async function signIn(deps: SignInDeps, attempt: Attempt): Promise<string> {
  const { username, password, place, ...from } = attempt
  const db = deps.database.isAvailable() ? deps.database.kysely : undefined
  const known = db && (await knownPlace(db, username, place))
  let owner: TokenOwner | undefined
  const isRight = await deps.throttle.attempt(signInLanes(username, place, known), async () => {
    owner = await ownerWith(deps, username, password)
    return owner !== undefined
  })
  const entry = { action: 'auth.sign_in', target: `user:${username}`, ...from }
  if (!isRight || !owner) {
    const anonymous = { actor: 'anonymous', actor_kind: 'anonymous' }
    await deps.recordAudit([{ ...entry, ...anonymous, outcome: 'refused' }])
    throw unauthorized('wrong username or password')
  }
  if (db && owner.id) await rememberPlace(db, owner.id, place)
  await deps.recordAudit([{ ...entry, actor: username, actor_kind: 'user', outcome: 'done' }])
  return deps.tokens.issue(owner)
}

async function ownerWith(deps: SignInDeps, username: string, password: string) {
  if (!deps.database.isAvailable()) return showcaseOwner(deps, username, password)
  const user = await deps.database.kysely
    .selectFrom('users')
    .select(['id', 'username', 'role', 'session_stamp', 'password_hash', 'disabled'])
    .where('username', '=', username)
    .executeTakeFirst()
  const isRight = await isPassword(user?.password_hash, password)
  if (!user || !isRight || user.disabled) return undefined
  return { ...user, role: Role.parse(user.role) }
}

/** `dummy` shows the showcase without any database: then its one user is the configured admin. */
async function showcaseOwner(deps: SignInDeps, username: string, password: string) {
  if (!deps.mode.showsStory) throw unavailable('the database is unavailable: try again shortly')
  if (!deps.adminPassword) throw new AppError(503, NO_PASSWORD)
  const isAdmin = username === 'admin'
  const expected = isAdmin ? await hashPassword(deps.adminPassword) : undefined
  if (!(await isPassword(expected, password))) return undefined
  return { username, role: 'admin' as const, session_stamp: SHOWCASE_STAMP }
}

const NO_PASSWORD =
  'the database is unavailable: to sign in to the showcase without one, set SOC_ADMIN_PASSWORD'
