import type { Api } from '../stores/api.ts'

export type PasskeyBegun = { flow: string; options: Record<string, unknown> }

export const hasPasskeys = () =>
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function'

/** The answer of one of the passkeys that this browser has for us. */
export async function answerOfPasskey(api: Pick<Api, 'post'>) {
  const { flow, options } = await api.post<PasskeyBegun>('/auth/passkeys/options')
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options as never)
  return { flow, credential: asJson(await navigator.credentials.get({ publicKey })) }
}

export async function makePasskey({ flow, options }: PasskeyBegun) {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never)
  return { flow, credential: asJson(await navigator.credentials.create({ publicKey })) }
}

const asJson = (credential: Credential | null) => (credential as PublicKeyCredential).toJSON()
