import { AppError } from '@manara/kit/errors'
import type { Role } from '@manara/soc-contract/permissions'
import type { Changes } from '../../../core/change/operator-change.ts'
import { type FlowData, takeFlow } from '../../../core/identity/flows.ts'
import { rolesThatNeedOne } from '../../../core/identity/second-factors.ts'
import {
  type IdentityProvider,
  type ProviderAccount,
  ProviderRefusal,
} from '../../../ports/identity-provider.ts'
import { recordProof } from '../proof/proof.ts'
import { type Entered, enter, type From, type SignInDeps } from '../sign-in.ts'
import { type GroupRole, roleOf, usedSecondFactor } from './domain/provider-user.ts'
import { OidcProblem } from './problems.ts'
import { userOfAccount } from './provider-user.store.ts'

export type FinishDeps = SignInDeps & {
  provider: IdentityProvider
  internalWorkflow: Changes['internalWorkflow']
  mapping: { roles: GroupRole[]; defaultRole: Role | undefined }
  /** Whether the provider is trusted to ask for a second factor although it does not say so. */
  isSecondFactorTrusted: boolean
}

type Callback = { url: URL; handle: string | undefined }

/** The clock of the provider may be a little behind ours. */
const CLOCK_MS = 60_000

export type Finished = { returnTo: string; entered: Entered | undefined }

/** The cookie says which question this is the answer to: an answer to somebody else's is none. */
export async function finishOidc(
  deps: FinishDeps,
  { url, handle }: Callback,
  from: From,
): Promise<Finished> {
  const { provider, database } = deps
  const begun = handle ? await takeFlow(database.kysely, 'oidc', handle) : undefined
  if (!begun) throw new OidcProblem('flow_over')
  const account = await askProvider(provider, begun, url)
  const { returnTo } = begun
  if (begun.proofFor) {
    await proveByProvider(deps, begun.proofFor, account, begun.startedAt)
    return { returnTo, entered: undefined }
  }
  const role = roleOf(account.groups, deps.mapping)
  if (!role) throw new OidcProblem('no_role', account.preferredName)
  const isStrong = deps.isSecondFactorTrusted || usedSecondFactor(account.methods)
  if (!isStrong && (await rolesThatNeedOne(database.kysely)).includes(role)) {
    throw new OidcProblem('second_factor', account.preferredName)
  }
  const owner = await deps.internalWorkflow((change) => userOfAccount(change, account, role))
  const entered = await enter(deps, owner, from, { hasSecondFactor: true, isFromProvider: true })
  return { returnTo, entered }
}

async function askProvider(provider: IdentityProvider, begun: FlowData['oidc'], url: URL) {
  try {
    return await provider.finish(begun.question, url)
  } catch (error) {
    if (error instanceof ProviderRefusal) throw new OidcProblem('provider_refused')
    if (error instanceof AppError) throw new OidcProblem('provider_away')
    throw error
  }
}

/** For who has no password here: the provider asks them again, and they must be the same person. */
async function proveByProvider(
  { database }: FinishDeps,
  { userId, jti }: { userId: string; jti: string },
  { issuer, subject, signedInAt }: ProviderAccount,
  startedAt: number,
) {
  const user = await database.kysely
    .selectFrom('users')
    .select('username')
    .where('id', '=', userId)
    .where('oidc_issuer', '=', issuer)
    .where('oidc_subject', '=', subject)
    .where('disabled', '=', false)
    .executeTakeFirst()
  if (!user) throw new OidcProblem('other_person')
  if (signedInAt === undefined || signedInAt < startedAt - CLOCK_MS) {
    throw new OidcProblem('provider_refused', user.username)
  }
  await recordProof(database.kysely, jti)
}
