import { AppError, unauthorized, unavailable } from '@manara/kit/errors'
import { Role } from '@manara/soc-contract/permissions'
import type { AuditEntry } from '../../core/audit/entry.ts'
import { isNamed } from '../../core/identity/is-named.ts'
import { hashPassword, isPassword } from '../../core/identity/passwords.ts'
import { factorsOf, hasAny, rolesThatNeedOne } from '../../core/identity/second-factors.ts'
import { signInLanes } from '../../core/identity/sign-in-lanes.ts'
import { knownPlace, type Place, rememberPlace } from '../../core/identity/sign-in-places.ts'
import type { SignInThrottle } from '../../core/identity/sign-in-throttle.ts'
import { SHOWCASE_STAMP, type TokenOwner, type Tokens } from '../../core/identity/tokens.ts'
import type { Mode } from '../../core/mode/mode.ts'
import type { Database } from '../../db/database.ts'
import { type CheckCodeDeps, checkCode } from './check-code.ts'

export type SignInDeps = CheckCodeDeps & {
  database: Pick<Database, 'kysely' | 'isAvailable'>
  mode: Mode
  adminPassword: string | undefined
  /** At the first start the port is open a moment before the admin is made. */
  untilThereAreUsers(): Promise<void>
  tokens: Tokens
  throttle: SignInThrottle
  recordAudit(entries: AuditEntry[]): Promise<void>
}

/** Where an attempt came from: its place for the throttle, the rest for the audit log. */
export type From = { place: Place; address: string; request_id: string }

type Credentials = { username: string; password: string; otp?: string | undefined }

/** The token, and whether it is good for nothing but enrolling a second factor. */
export type Entered = { token: string; isEnrolling: boolean }

type Answer = 'in' | 'wrong' | 'needs code' | 'needs passkey'

/** Wrong name, wrong password and disabled user get the same answer after the same work. */
export async function signIn(
  deps: SignInDeps,
  { username, password, otp }: Credentials,
  from: From,
): Promise<Entered> {
  await deps.untilThereAreUsers()
  const db = deps.database.isAvailable() ? deps.database.kysely : undefined
  const known = db && (await knownPlace(db, username, from.place))
  const found: { owner?: TokenOwner | undefined; answer: Answer } = { answer: 'wrong' }
  await deps.throttle.attempt(signInLanes(username, from.place, known), async () => {
    found.owner = await ownerWith(
      deps,
      username,
      password,
      known && `${username.toLowerCase()} from ${known}`,
    )
    if (found.owner) found.answer = await askSecondFactor(deps, found.owner, otp)
    // A code that is still to come is no failure: the guess at the password was right.
    return found.answer !== 'wrong'
  })
  const { owner, answer } = found
  if (owner && answer === 'in') return enter(deps, owner, from)
  await recordRefusal(deps, username, from, answer === 'wrong' ? undefined : answer)
  throw refusal(answer, otp !== undefined)
}

/** Who has shown who they are gets a token; where the role needs a factor they lack, one to enrol it. */
export async function enter(
  deps: SignInDeps,
  owner: TokenOwner,
  from: From,
  { hasSecondFactor = false, isFromProvider = false } = {},
): Promise<Entered> {
  const { place, ...seen } = from
  let isEnrolling = false
  if (owner.id) {
    const db = deps.database.kysely
    await rememberPlace(db, owner.id, place)
    const isDue = (await rolesThatNeedOne(db)).includes(owner.role)
    isEnrolling = isDue && !hasSecondFactor && !hasAny(await factorsOf(db, owner.id))
  }
  await deps.recordAudit([
    {
      ...{ action: 'auth.sign_in', target: `user:${owner.username}`, ...seen },
      ...{ actor: owner.username, actor_kind: 'user', outcome: 'done' },
      ...(isEnrolling ? { detail: 'must enrol a second factor' } : {}),
    },
  ])
  return { token: await deps.tokens.issue(owner, { isEnrolling, isFromProvider }), isEnrolling }
}

export async function recordRefusal(
  deps: Pick<SignInDeps, 'recordAudit'>,
  username: string,
  { place: _, ...seen }: From,
  detail?: string,
) {
  await deps.recordAudit([
    {
      ...{ action: 'auth.sign_in', target: `user:${username}`, ...seen, detail },
      ...{ actor: 'anonymous', actor_kind: 'anonymous', outcome: 'refused' },
    },
  ])
}

async function askSecondFactor(
  deps: SignInDeps,
  { id, username }: TokenOwner,
  otp: string | undefined,
): Promise<Answer> {
  if (!id) return 'in'
  const factors = await factorsOf(deps.database.kysely, id)
  if (!hasAny(factors)) return 'in'
  if (otp === undefined) return factors.hasTotp ? 'needs code' : 'needs passkey'
  return (await checkCode(deps, { id, username }, otp)) ? 'in' : 'wrong'
}

function refusal(answer: Answer, hadCode: boolean) {
  if (answer === 'needs code') {
    return unauthorized(
      'otp: a second factor is needed: send the code of your app, or a recovery code',
    )
  }
  if (answer === 'needs passkey') {
    return unauthorized(
      'otp: a second factor is needed: sign in with your passkey, or send a recovery code',
    )
  }
  return unauthorized(hadCode ? 'wrong username, password or code' : 'wrong username or password')
}

async function ownerWith(
  deps: SignInDeps,
  username: string,
  password: string,
  known: string | undefined,
) {
  if (!deps.database.isAvailable()) return showcaseOwner(deps, username, password)
  const user = await deps.database.kysely
    .selectFrom('users')
    .select(['id', 'username', 'role', 'session_stamp', 'password_hash', 'disabled'])
    .where(isNamed(username))
    .executeTakeFirst()
  const isRight = await isPassword(user?.password_hash, password, known)
  if (!user || !isRight || user.disabled) return undefined
  return { ...user, role: Role.parse(user.role) }
}

/** `dummy` shows the showcase without any database: then its one user is the configured admin. */
async function showcaseOwner(deps: SignInDeps, username: string, password: string) {
  if (!deps.mode.showsStory) throw unavailable('the database is unavailable: try again shortly')
  if (!deps.adminPassword) throw new AppError(503, NO_PASSWORD)
  const isAdmin = username.toLowerCase() === 'admin'
  const expected = isAdmin ? await hashPassword(deps.adminPassword) : undefined
  if (!(await isPassword(expected, password))) return undefined
  return { username: 'admin', role: 'admin' as const, session_stamp: SHOWCASE_STAMP }
}

const NO_PASSWORD =
  'the database is unavailable: to sign in to the showcase without one, set SOC_ADMIN_PASSWORD'
