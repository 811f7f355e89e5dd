/** What a connection string says, as PostgreSQL's own tools read it. */
export type Conninfo = {
  /** In the order in which they are tried; a host that begins with `/` is a socket directory. */
  hosts: { host?: string; port?: number }[]
  /** By libpq's names, without those of the hosts. */
  parameters: Record<string, string>
}

const KNOWN = new Set(
  'host hostaddr port user password dbname sslmode sslrootcert sslcert sslkey application_name connect_timeout options target_session_attrs client_encoding channel_binding gssencmode sslsni keepalives keepalives_idle keepalives_interval keepalives_count tcp_user_timeout ssl'.split(
    ' ',
  ),
)

/**
 * A URI, also without a host, with several, or with a socket directory in its place; or words as
 * `host=/run/postgresql dbname=soc`. Throws what is wrong, never what was written.
 */
export function readConninfo(text: string): Conninfo {
  const found = /^postgres(?:ql)?:\/\//.test(text) ? readUri(text) : readWords(text)
  for (const name of found.keys()) {
    if (!KNOWN.has(name)) throw new Error(`${name} is no parameter that is known here`)
  }
  const listOf = (name: string) => found.get(name)?.split(',') ?? []
  const names = listOf('hostaddr').length > 0 ? listOf('hostaddr') : listOf('host')
  const ports = listOf('port')
  if (ports.length > 1 && ports.length !== names.length) {
    throw new Error('port: one for all hosts, or one for each')
  }
  const hosts = (names.length > 0 ? names : ['']).map((host, at) => ({
    ...(host ? { host } : {}),
    ...portOf((ports.length > 1 ? ports[at] : ports[0]) ?? ''),
  }))
  // As JDBC spells it, which libpq understands.
  if (found.get('ssl') === 'true') found.set('sslmode', found.get('sslmode') ?? 'require')
  found.delete('ssl')
  refuseWhatWeCannot(found)
  const parameters = [...found].filter(([name]) => !/^(host|hostaddr|port)$/.test(name))
  return { hosts, parameters: Object.fromEntries(parameters) }
}

/** What makes a connection safer is done or refused, never passed over. */
function refuseWhatWeCannot(found: Map<string, string>) {
  if (found.get('gssencmode') === 'require') throw new Error('gssencmode: there is no GSSAPI here')
  const isPlain = ['disable', 'allow', 'prefer'].includes(found.get('sslmode') ?? 'disable')
  if (found.get('channel_binding') === 'require' && isPlain) {
    throw new Error('channel_binding: needs sslmode=verify-full')
  }
}

function portOf(text: string) {
  if (text === '') return {}
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) throw new Error('port: must be a number')
  return { port: Number(text) }
}

const URI =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^:@/?]*)(?::(?<password>[^@/?]*))?@)?(?<hosts>[^/?]*)(?:\/(?<dbname>[^?]*))?(?:\?(?<query>.*))?$/s

function readUri(text: string): Map<string, string> {
  const parts = URI.exec(text)?.groups
  if (!parts) throw new Error('the URI cannot be read')
  const found = new Map<string, string>()
  const set = (name: string, value: string | undefined) => {
    if (value) found.set(name, decoded(value))
  }
  set('user', parts.user)
  set('password', parts.password)
  set('dbname', parts.dbname)
  const specs = (parts.hosts ?? '').split(',').map(hostAndPort)
  if (parts.hosts) {
    found.set('host', specs.map(({ host }) => decoded(host)).join(','))
    if (specs.some(({ port }) => port)) found.set('port', specs.map((one) => one.port).join(','))
  }
  for (const pair of parts.query?.split('&') ?? []) {
    const equals = pair.indexOf('=')
    if (equals < 1) throw new Error('after ? must stand name=value')
    found.set(decoded(pair.slice(0, equals)), decoded(pair.slice(equals + 1)))
  }
  return found
}

function hostAndPort(spec: string): { host: string; port: string } {
  const { bracketed, plain, port } =
    /^(?:\[(?<bracketed>[^\]]*)\]|(?<plain>[^:]*))(?::(?<port>\d*))?$/.exec(spec)?.groups ?? {}
  if (bracketed === undefined && plain === undefined) throw new Error('a host cannot be read')
  return { host: bracketed ?? plain ?? '', port: port ?? '' }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new Error('a % must be followed by two hexadecimal digits')
  }
}

const WORD =
  /\s*(?<name>[a-z_]+)\s*=\s*(?:'(?<quoted>(?:[^'\\]|\\.)*)'|(?<plain>(?:[^\s\\']|\\.)*))(?:\s+|$)/sy

function readWords(text: string): Map<string, string> {
  const found = new Map<string, string>()
  WORD.lastIndex = 0
  while (WORD.lastIndex < text.length) {
    const { name, quoted, plain = '' } = WORD.exec(text)?.groups ?? {}
    if (name === undefined) {
      throw new Error('must be postgresql://… or words such as host=/run/postgresql dbname=soc')
    }
    found.set(name, (quoted ?? plain).replaceAll(/\\(.)/gs, '$1'))
  }
  return found
}
