type Failure = { code?: string; message?: string; errors?: Failure[] }

const OWNER =
  'the role of DATABASE_URL must own the database, or DATABASE_OWNER_URL name the one that does'
const REACH = 'see that it runs, and whether DATABASE_URL says where'

const SIGNER = 'name the file of who signed it as sslrootcert in DATABASE_URL'

/** By code, or by words where the driver gives none. */
const ADVICE: [said: RegExp, advice: string][] = [
  // Also where the server lets this role in, but not without encryption.
  [/^28000$/, 'see the role, the database and sslmode in DATABASE_URL and DATABASE_OWNER_URL'],
  [/^28/, 'see the role and the password in DATABASE_URL and DATABASE_OWNER_URL'],
  [/password must be/, 'the server asks for a password: DATABASE_URL must have it'],
  [/does not support SSL/, 'turn ssl on there, or say sslmode=disable in DATABASE_URL'],
  [/^(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO_)/, SIGNER],
  [/^ERR_TLS_CERT_ALTNAME/, 'name the server in DATABASE_URL as its certificate does'],
  [/^3F000$/, 'it has no schema public: CREATE SCHEMA public, as the owner of the database'],
  [/^3D000$/, 'create it, or correct DATABASE_URL'],
  [/^42501$/, OWNER],
  [/^25006$/, 'it only reads: name the server that takes changes, or make this one take them'],
  [/^53300$/, 'raise max_connections, or the limit of the role'],
  [/^E[A-Z_]+$/, REACH],
]

/** Why a database is of no use, and what whoever set it up can do about it. */
export function whyUnusable(error: unknown): string {
  const failure = error as Failure
  // A name with several addresses fails once for each of them.
  const [first = failure] = failure.errors ?? []
  const { code = '', message = '' } = first
  const advice = ADVICE.find(([said]) => said.test(code || message))?.[1]
  return [message || String(error), ...(advice ? [advice] : [])].join(': ')
}
