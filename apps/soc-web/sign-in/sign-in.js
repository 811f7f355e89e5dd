import { api, attempt, byId, showOnly, tell } from './api.js'
import { answerOfPasskey, hasPasskeys } from './passkeys.js'

/** Why the identity provider's answer did not sign anybody in, by the code in the address. */
const PROBLEMS = {
  flow_over: 'That took too long, or was begun in another browser. Try again.',
  provider_refused: 'Your organisation did not confirm who you are. Try again.',
  provider_away: 'Your organisation cannot be reached just now. Try again shortly.',
  disabled: 'Your account is disabled. Ask an administrator.',
  no_role: 'None of your groups has a role here. Ask an administrator.',
  name_taken: 'Somebody else has your name here. Ask an administrator.',
  second_factor: 'Your role needs a second factor. Turn it on at your organisation.',
  last_admin:
    'You are the last administrator here, and your groups say otherwise. Make another first.',
  other_person: 'That was another account than the one signed in here.',
}

export function problemInAddress() {
  const code = new URLSearchParams(location.search).get('problem')
  if (!code) return ''
  history.replaceState(null, '', location.pathname)
  return PROBLEMS[code] ?? 'Signing in did not work. Try again.'
}

/** Shows the ways to sign in; `onEnter` is called when one of them has worked. */
export function showSignIn({ ways, onEnter, returnTo }) {
  const mayUsePasskey = ways.passkey && hasPasskeys()
  byId('use-passkey').hidden = !mayUsePasskey
  byId('step-passkey').hidden = !mayUsePasskey
  byId('use-provider').hidden = !ways.oidc
  if (ways.oidc) {
    byId('use-provider').textContent = `Sign in with ${ways.oidc.name}`
    byId('use-provider').href = `${ways.oidc.url}?return_to=${encodeURIComponent(returnTo)}`
  }
  byId('other-ways').hidden = !(mayUsePasskey || ways.oidc)
  showOnly('sign-in')

  const form = byId('password-form')
  // On a phone the keyboard of the screen would cover what else there is.
  if (!matchMedia('(pointer: coarse)').matches) form.elements.username.focus()
  const codes = byId('code-form')

  async function send(otp) {
    const { username, password } = Object.fromEntries(new FormData(form))
    // Phones put a space behind a name that they complete.
    const credentials = { username: username.trim(), password }
    const entered = await api('POST', '/auth/token', { ...credentials, ...(otp ? { otp } : {}) })
    form.reset()
    codes.reset()
    await onEnter(entered)
  }

  form.onsubmit = (event) => {
    event.preventDefault()
    void attempt(event.submitter, async () => {
      try {
        await send()
      } catch (error) {
        if (!error.message.startsWith('otp: ')) throw error
        showOnly('second-step')
        codes.elements.otp.focus()
      }
    })
  }
  codes.onsubmit = (event) => {
    event.preventDefault()
    void attempt(event.submitter, () => send(codes.elements.otp.value.trim()))
  }
  byId('step-back').onclick = () => {
    form.reset()
    codes.reset()
    tell('')
    showOnly('sign-in')
  }
  const usePasskey = (event) =>
    attempt(event.currentTarget, async () => {
      const entered = await api('POST', '/auth/passkeys', await answerOfPasskey())
      form.reset()
      await onEnter(entered)
    })
  byId('use-passkey').onclick = usePasskey
  byId('step-passkey').onclick = usePasskey
}
