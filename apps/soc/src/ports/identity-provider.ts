import type { ProviderCheck } from '@manara/soc-contract/auth'

/** Somebody as their organisation's identity provider knows them. */
export type ProviderAccount = {
  issuer: string
  /** With the issuer, the only thing that says who it is. */
  subject: string
  preferredName: string | undefined
  fullName: string | undefined
  /** Only when the provider says that it was verified. */
  email: string | undefined
  groups: string[]
  /** How they signed in there (`amr`): `pwd`, `otp`, `mfa` … */
  methods: string[]
  /** When they did, in milliseconds, if it is said. */
  signedInAt: number | undefined
}

/** What binds the answer to the question; kept here while the browser is at the provider. */
type ProviderQuestion = { state: string; nonce: string; codeVerifier: string }

export type IdentityProvider = {
  /** What people call it: "Sign in with …". */
  name: string
  newQuestion(): ProviderQuestion
  /** Where to send the browser. Throws 503 when the provider cannot be reached. */
  begin(question: ProviderQuestion, options: { isFresh: boolean }): Promise<URL>
  /** Reads the answer that the browser brings back. Throws `ProviderRefusal` when it is not an answer to the question. */
  finish(question: ProviderQuestion, callback: URL): Promise<ProviderAccount>
  /** Where the browser ends the session at the provider too; nothing when it offers none. */
  signOutUrl(): Promise<URL | undefined>
  /** Asks the provider anew what it can do, and says what would keep people from signing in. */
  check(): Promise<ProviderCheck>
}

/** The provider, or whoever forged its answer, did not say who it is. */
export class ProviderRefusal extends Error {
  override name = 'ProviderRefusal'
}
