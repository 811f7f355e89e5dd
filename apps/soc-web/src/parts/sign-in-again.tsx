import { Field } from '@manara/ui/parts/field'
import { useOnce } from '@manara/ui/use-once'
import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect } from 'preact/hooks'
import { comingBack, doorApi, leaveToSignIn, say, session, unsent } from '../here.ts'
import { Refused } from '../stores/api.ts'
import { explain } from '../stores/attempt.ts'
import { Act } from './act.tsx'
import { Dialog } from './dialog.tsx'
import { answerOfPasskey, hasPasskeys } from './passkeys.ts'
import { TextField } from './text-field.tsx'

type Ways = { passkey: boolean; oidc: { name: string; url: string } | null }
type Entered = { must_enrol?: boolean }

/**
 * Over the page whose session has ended, which stays as it was: the same person goes on with it.
 * Nothing of it is seen meanwhile, since anybody may stand here.
 */
export function SignInAgain() {
  const { t, fill } = say.value
  const username = session.me.value?.username ?? ''
  const password = useSignal('')
  const otp = useSignal('')
  const isCodeNeeded = useSignal(false)
  const problem = useSignal('')
  const ways = useSignal<Ways | null>(null)
  useEffect(() => {
    doorApi.get<Ways>('/auth/ways').then(
      (found) => {
        ways.value = found
      },
      () => {},
    )
    // Somebody may have signed in elsewhere meanwhile.
    const look = () => {
      if (document.visibilityState === 'visible') void comingBack.look()
    }
    addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    return () => {
      removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])

  const isListening = useSignal(false)
  useLayoutEffect(
    () =>
      ignoreLateKeys(() => {
        isListening.value = true
      }),
    [],
  )

  async function enter(send: () => Promise<Entered>) {
    problem.value = ''
    try {
      const { must_enrol } = await send()
      // A role that needs a second factor now: there is nothing to go on with before it is added.
      if (must_enrol) return leaveToSignIn()
      await comingBack.look()
    } catch (error) {
      const needsCode = error instanceof Refused && error.field === 'otp' && otp.value === ''
      isCodeNeeded.value ||= needsCode
      problem.value = needsCode ? '' : whyNot(error)
    }
  }
  const withPassword = useOnce(() =>
    enter(() =>
      doorApi.post<Entered>('/auth/token', {
        ...{ username, password: password.value },
        ...(otp.value ? { otp: otp.value.trim() } : {}),
      }),
    ),
  )
  const withPasskey = () =>
    enter(async () => doorApi.post<Entered>('/auth/passkeys', await answerOfPasskey(doorApi)))
  const { oidc, passkey } = ways.value ?? { oidc: null, passkey: false }
  return (
    <Dialog title={t.back.title} isOpaque>
      <p>{t.back.text}</p>
      <form
        class="stack"
        aria-busy={!isListening.value}
        onSubmit={(event) => {
          event.preventDefault()
          void withPassword.run()
        }}
      >
        <Field
          label={t.back.username}
          value={username}
          onType={() => {}}
          input={{ readOnly: true, autocomplete: 'username' }}
        />
        <TextField
          label={t.back.password}
          of={password}
          input={{ type: 'password', autocomplete: 'current-password', required: true }}
        />
        {isCodeNeeded.value && (
          <TextField
            label={t.back.code}
            of={otp}
            input={{ autocomplete: 'one-time-code', autocapitalize: 'off', required: true }}
          />
        )}
        {problem.value && (
          <p class="bad" role="alert">
            {problem.value}
          </p>
        )}
        <div class="acts">
          <button type="submit" class="act" data-look="main" {...withPassword.busy}>
            {t.back.go}
          </button>
          {passkey && hasPasskeys() && <Act onClick={withPasskey}>{t.back.passkey}</Act>}
          {oidc && (
            <a class="act" href={`${oidc.url}?return_to=%2F`} target="_blank" rel="noopener">
              {fill(t.back.provider, { name: oidc.name })}
            </a>
          )}
        </div>
        {oidc && <p class="soft">{t.back.providerText}</p>}
      </form>
      <p class="soft">
        <Act look="plain" onClick={leaveForOther}>
          {t.back.other}
        </Act>{' '}
        {t.back.otherText}
      </p>
    </Dialog>
  )
}

/** Nobody has read a thing so soon. */
const LATE_MS = 700

/** What is still pressed when this comes up was for the page, and is no part of a password. */
function ignoreLateKeys(onQuiet: () => void) {
  let timer = setTimeout(listen, LATE_MS)
  function ignore(event: KeyboardEvent) {
    event.preventDefault()
    clearTimeout(timer)
    timer = setTimeout(listen, LATE_MS)
  }
  function listen() {
    stop()
    onQuiet()
  }
  function stop() {
    clearTimeout(timer)
    removeEventListener('keydown', ignore, true)
  }
  addEventListener('keydown', ignore, true)
  return stop
}

function leaveForOther() {
  unsent.forget()
  location.replace('/sign-in/')
}

function whyNot(error: unknown): string {
  const { errors } = say.value.t
  // Browsers say this when somebody closes the prompt, or has no passkey for this page.
  if (error instanceof DOMException && error.name === 'NotAllowedError') return errors.noPasskey
  return explain(error, errors)
}
