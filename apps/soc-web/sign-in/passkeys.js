import { api } from './api.js'

/** Whether this browser has them. */
export const hasPasskeys = () =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

/** The answer of one of the passkeys that this browser has for us. */
export async function answerOfPasskey() {
  const { flow, options } = await api('POST', '/auth/passkeys/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey })
  return { flow, credential: credential.toJSON() }
}

export async function makePasskey({ flow, options }) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options)
  const credential = await navigator.credentials.create({ publicKey })
  return { flow, credential: credential.toJSON() }
}
