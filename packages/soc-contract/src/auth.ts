import { z } from 'zod'
import { ListQuery, listOf } from './lists.ts'
import { Role } from './permissions.ts'
import { filledText } from './text.ts'

/** Six digits of an authenticator app, or a recovery code with or without its dashes. */
const OneTimeCode = filledText(64)
/** What a begun enrolment or sign-in is gone on with. */
const Flow = z.string().min(1).max(100)
const TokenFields = {
  access_token: z.string(),
  token_type: z.literal('bearer'),
  expires_in: z.int(),
}

export const SignInBody = z.strictObject({
  username: filledText(200),
  password: z.string().min(1).max(1_000),
  /** For accounts with a second factor. */
  otp: OneTimeCode.optional(),
  // What OAuth form clients add to a password sign-in.
  grant_type: z.literal('password').optional(),
  scope: z.string().optional(),
  client_id: z.string().optional(),
  client_secret: z.string().optional(),
})

export const SignedIn = z.object({
  ...TokenFields,
  /** Only when it is so: the token is good for enrolling a second factor and nothing else. */
  must_enrol: z.literal(true).optional(),
})
export type SignedIn = z.infer<typeof SignedIn>

export const SignedOut = z.object({
  signed_out: z.literal(true),
  /** Where to end the session at the provider as well, if it was begun there. */
  provider_sign_out_url: z.string().optional(),
})

/** What a page needs to know before anybody has signed in. */
export const SignInWays = z.object({
  password: z.literal(true),
  passkey: z.boolean(),
  oidc: z.object({ name: z.string(), url: z.string() }).nullable(),
})

export const SecondFactors = z.object({
  totp: z.object({ created_at: z.string() }).nullable(),
  passkeys: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      created_at: z.string(),
      last_used_at: z.string().nullable(),
    }),
  ),
  recovery_codes_left: z.int(),
  /** Whether the role needs one. */
  is_required: z.boolean(),
})
export type SecondFactors = z.infer<typeof SecondFactors>

/** Of everybody, for who looks after them. */
export const FactorsOfUsers = listOf(
  z.object({
    username: z.string(),
    role: Role,
    disabled: z.boolean(),
    totp: z.boolean(),
    passkeys: z.int(),
    recovery_codes_left: z.int(),
    is_required: z.boolean(),
    signs_in_at_provider: z
      .boolean()
      .meta({ description: 'The identity provider asks for the second factor' }),
  }),
)
export type FactorsOfUsers = z.infer<typeof FactorsOfUsers>

export const FactorsOfUsersQuery = ListQuery.pick({ skip: true, limit: true, cursor: true })
export type FactorsOfUsersQuery = z.infer<typeof FactorsOfUsersQuery>

export const TotpBegun = z.object({
  flow: z.string(),
  /** Base32, for typing into an app that has no camera. */
  secret: z.string(),
  uri: z.string(),
  qr_svg: z.string(),
})

export const TotpConfirm = z.strictObject({
  flow: Flow,
  code: z.string().regex(/^\d{6}$/, 'must be the six digits that the app shows'),
})

/** The first factor brings recovery codes, and after an enrolment that was due, the whole session. */
export const FactorAdded = z.object({
  recovery_codes: z.array(z.string()).nullable(),
  session: z.object(TokenFields).nullable(),
})

/** WebAuthn's own JSON, made and read by browsers and by the library on our side. */
const WebAuthnJson = z.record(z.string(), z.unknown())

export const PasskeyOptions = z.object({ flow: z.string(), options: WebAuthnJson })

export const PasskeyAnswer = z.strictObject({ flow: Flow, credential: WebAuthnJson })

export const PasskeyEnrol = PasskeyAnswer.extend({ name: filledText(100) })

export const PasskeyParams = z.object({ passkey_id: filledText(1_400) })

export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) })

export const FactorRemoved = z.object({ removed: z.literal(true) })

/** The password, with a code where there is an app; or a passkey. */
export const ProofBody = z
  .strictObject({
    password: z.string().min(1).max(1_000).optional(),
    otp: OneTimeCode.optional(),
    passkey: PasskeyAnswer.optional(),
  })
  .refine(({ password, passkey }) => (password === undefined) !== (passkey === undefined), {
    path: ['password'],
    error: 'is required, unless passkey is given instead',
  })
export type ProofBody = z.infer<typeof ProofBody>

export const Proven = z.object({ proven: z.literal(true), expires_in: z.int() })

export const SignInPolicy = z.object({ second_factor_roles: z.array(Role) })
export type SignInPolicy = z.infer<typeof SignInPolicy>

export const SignInPolicyUpdate = z.strictObject({
  second_factor_roles: z
    .array(Role.exclude(['service'], 'must be roles of people'))
    .max(20)
    .transform((roles) => [...new Set(roles)]),
})

/** Where to go afterwards: a path of this service. */
export const OidcStartQuery = z.strictObject({ return_to: z.string().max(2_000).optional() })

/** What providers add beyond the standard is theirs to say. */
export const OidcCallbackQuery = z.looseObject({})

/** What is set with SOC_OIDC_*, without the secret; null without an identity provider. */
export const SingleSignOn = z.object({
  provider: z
    .object({
      name: z.string(),
      issuer: z.string(),
      client_id: z.string(),
      has_secret: z.boolean(),
      scopes: z.array(z.string()),
      groups_claim: z.string(),
      redirect_url: z.string().meta({ description: 'To be registered at the provider' }),
      signed_out_url: z.string().meta({ description: 'To be registered for after signing out' }),
      second_factor: z.enum(['amr', 'trusted']),
    })
    .nullable(),
  roles: z
    .array(z.object({ group: z.string(), role: Role }))
    .meta({ description: 'The first that fits counts' }),
  default_role: Role.nullable(),
})
export type SingleSignOn = z.infer<typeof SingleSignOn>

/** What the provider says of itself, read anew. */
export const ProviderCheck = z.object({
  is_ok: z.boolean(),
  steps: z.array(
    z.object({
      step: z.enum(['metadata', 'keys', 'code_flow', 'pkce', 'scopes', 'sign_out']),
      result: z.enum(['ok', 'warning', 'failed']),
      detail: z.string(),
    }),
  ),
})
export type ProviderCheck = z.infer<typeof ProviderCheck>
