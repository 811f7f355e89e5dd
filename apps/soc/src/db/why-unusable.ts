type Failure = { code?: string; message?: string; errors?: Failure[] }

const OWNER =
  'the role of DATABASE_URL must own the database, or DATABASE_OWNER_URL name the one that does'
const REACH = 'see that it runs, and whether DATABASE_URL says where'

const ADVICE: [codes: RegExp, advice: string][] = [
  [/^28/, 'see the role and the password in DATABASE_URL and DATABASE_OWNER_URL'],
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
  const advice = ADVICE.find(([codes]) => codes.test(code))?.[1]
  return [message || String(error), ...(advice ? [advice] : [])].join(': ')
}
