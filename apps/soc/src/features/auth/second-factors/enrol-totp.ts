import { conflict, invalid } from '@manara/kit/errors'
import { generate } from 'lean-qr'
import { toSvgSource } from 'lean-qr/extras/svg'
import type { ChangeContext } from '../../../core/change/operator-change.ts'
import { beginFlow, takeFlow } from '../../../core/identity/flows.ts'
import { newSeed, purposeOfSeed, stepOf, totpOf } from '../../../core/identity/one-time-codes.ts'
import type { Session } from '../../../core/identity/principal.ts'
import { factorsOf } from '../../../core/identity/second-factors.ts'
import type { Sealing } from '../../../core/keys/sealing.ts'
import { addedFactor } from './added-factor.ts'
import { mayEnrol } from './may-enrol.ts'

/** The seed is shown here and never again; it counts when a code of it has come back. */
export async function beginTotp(change: ChangeContext, session: Session, sealing: Sealing) {
  const user = await mayEnrol(change.tx, session)
  await refuseSecondApp(change, user.id)
  const secret = newSeed()
  const uri = totpOf(secret, user.username).toString()
  const flow = await beginFlow(change.tx, 'totp', {
    userId: user.id,
    jti: session.id,
    sealedSeed: sealing.seal(secret, purposeOfSeed(user.id)),
  })
  return { flow, secret, uri, qr_svg: toSvgSource(generate(uri), { pad: 3 }) }
}

export async function confirmTotp(
  change: ChangeContext,
  session: Session,
  { sealing, now }: { sealing: Sealing; now: () => number },
  { flow, code }: { flow: string; code: string },
) {
  const begun = await takeFlow(change.tx, 'totp', flow)
  if (!begun || begun.jti !== session.id || begun.userId !== session.principal.id) {
    throw invalid('flow', 'is unknown or over: begin again')
  }
  await refuseSecondApp(change, begun.userId)
  const secret = sealing.open(begun.sealedSeed, purposeOfSeed(begun.userId)).toString()
  const step = stepOf(totpOf(secret, session.principal.username), code, now())
  // The transaction ends here, so the flow is still there for another try.
  if (step === undefined)
    throw invalid('code', 'is wrong: look whether the clock of the phone is right')
  await change.tx
    .insertInto('totp_seeds')
    .values({ user_id: begun.userId, sealed_seed: begun.sealedSeed, last_step: String(step) })
    .execute()
  return addedFactor(change, session, { kind: 'totp' })
}

async function refuseSecondApp({ tx }: ChangeContext, userId: string) {
  const { hasTotp } = await factorsOf(tx, userId)
  if (hasTotp) throw conflict('an app is enrolled already: remove it first')
}
