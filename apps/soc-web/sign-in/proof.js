import { api, attempt, byId } from './api.js'
import { answerOfPasskey, hasPasskeys } from './passkeys.js'

/**
 * Makes a change that may need a proof: asks for it and tries once more. Resolves to nothing when
 * the person thinks better of it.
 */
export async function withProof(ways, change) {
  try {
    return await change()
  } catch (error) {
    if (error.status !== 409 || !error.message.startsWith('prove that it is you')) throw error
  }
  // What can prove it is asked for now: the page may be older than the last app or passkey added.
  const factors = await api('GET', '/auth/second-factors')
  return (await askForProof(factors, ways)) ? change() : undefined
}

function askForProof(factors, ways) {
  const dialog = byId('proof-dialog')
  const form = byId('proof-form')
  const say = (problem) => {
    form.querySelector('.problem').textContent = problem
  }
  form.reset()
  say('')
  byId('proof-code').hidden = !factors.totp
  byId('proof-passkey').hidden = !(factors.passkeys.length > 0 && hasPasskeys())
  byId('proof-provider').hidden = !ways.oidc
  byId('proof-provider').textContent = `Ask ${ways.oidc?.name}`
  byId('proof-provider').href = '/api/v1/auth/oidc/prove?return_to=/sign-in/'

  return new Promise((resolve) => {
    const send = (body) => async () => {
      await api('POST', '/auth/proof', await body())
      resolve(true)
      dialog.close()
    }
    form.onsubmit = (event) => {
      event.preventDefault()
      const { password, otp } = Object.fromEntries(new FormData(form))
      void attempt(
        event.submitter,
        send(() => ({ password, ...(otp ? { otp } : {}) })),
        say,
      )
    }
    byId('proof-passkey').onclick = (event) =>
      void attempt(
        event.currentTarget,
        send(async () => ({ passkey: await answerOfPasskey() })),
        say,
      )
    dialog.onclose = () => resolve(false)
    dialog.showModal()
  })
}
