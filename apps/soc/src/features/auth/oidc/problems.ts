/** Why a sign-in at the provider ended without a session; the sign-in page has a sentence for each. */
export type ProblemCode =
  | 'flow_over'
  | 'provider_refused'
  | 'provider_away'
  | 'disabled'
  | 'no_role'
  | 'name_taken'
  | 'second_factor'
  | 'last_admin'
  | 'other_person'

export class OidcProblem extends Error {
  override name = 'OidcProblem'
  readonly code: ProblemCode
  readonly username: string | undefined

  constructor(code: ProblemCode, username?: string) {
    super(code)
    this.code = code
    this.username = username
  }
}
