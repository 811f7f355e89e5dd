import type { SecondFactors } from '@manara/soc-contract/auth'
import { useSignal } from '@preact/signals'
import { api, say } from '../../here.ts'
import { Act } from '../../parts/act.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { answerOfPasskey, hasPasskeys } from '../../parts/passkeys.ts'
import { TextField } from '../../parts/text-field.tsx'
import { useRead } from '../../parts/use-read.ts'
import { Refused } from '../../stores/api.ts'
import { explain } from '../../stores/attempt.ts'
import { useWords } from './words.ts'

export type SignInWays = { passkey: boolean; oidc: { name: string } | null }

/**
 * Makes a change that may need a proof of who one is: asks for it and tries once more. Resolves to
 * nothing when the person thinks better of it. `proof` is the dialog, to be shown on the page.
 */
export function useProof() {
  const asking = useSignal<{ done(isGiven: boolean): void } | null>(null)
  async function withProof<Reply>(change: () => Promise<Reply>): Promise<Reply | undefined> {
    try {
      return await change()
    } catch (error) {
      if (!isProofNeeded(error)) throw error
    }
    const isGiven = await new Promise<boolean>((done) => {
      asking.value = { done }
    })
    asking.value = null
    return isGiven ? change() : undefined
  }
  return { withProof, proof: asking.value && <ProofDialog onDone={asking.value.done} /> }
}

const isProofNeeded = (error: unknown) =>
  error instanceof Refused && error.status === 409 && error.message.startsWith('prove that it is')

function ProofDialog({ onDone }: { onDone(isGiven: boolean): void }) {
  const { w, fill } = useWords()
  const factors = useRead<SecondFactors>('/auth/second-factors').data
  const ways = useRead<SignInWays>('/auth/ways').data
  const password = useSignal('')
  const otp = useSignal('')
  const problem = useSignal('')
  const prove = async (body: () => object | Promise<object>) => {
    problem.value = ''
    try {
      await api.post('/auth/proof', await body())
      onDone(true)
    } catch (error) {
      problem.value = explain(error, say.value.t.errors)
    }
  }
  const withPassword = () =>
    prove(() => ({ password: password.value, ...(otp.value ? { otp: otp.value } : {}) }))
  return (
    <Dialog title={w.proof.title} onClose={() => onDone(false)}>
      <p>{w.proof.text}</p>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault()
          void withPassword()
        }}
      >
        <TextField
          label={w.proof.password}
          of={password}
          input={{ type: 'password', autocomplete: 'current-password' }}
        />
        {factors?.totp && (
          <TextField
            label={w.proof.code}
            of={otp}
            input={{ autocomplete: 'one-time-code', inputMode: 'numeric' }}
          />
        )}
        {problem.value && (
          <p class="bad" role="alert">
            {problem.value}
          </p>
        )}
        <div class="acts">
          <button type="submit" class="act" data-look="main" disabled={password.value === ''}>
            {w.proof.go}
          </button>
          {factors && factors.passkeys.length > 0 && hasPasskeys() && (
            <Act onClick={() => prove(async () => ({ passkey: await answerOfPasskey(api) }))}>
              {w.proof.passkey}
            </Act>
          )}
          {ways?.oidc && (
            <a
              class="act"
              href={`/api/v1/auth/oidc/prove?return_to=${encodeURIComponent(location.pathname)}`}
            >
              {fill(w.proof.provider, { name: ways.oidc.name })}
            </a>
          )}
        </div>
      </form>
    </Dialog>
  )
}
