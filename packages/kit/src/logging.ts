import { pino } from 'pino'
import { pretty as prettyStream } from './pretty-log.ts'

export type Logger = ReturnType<typeof createLogger>

const SECRET_KEYS = [
  'password',
  'new_password',
  'token',
  'access_token',
  'authorization',
  'cookie',
  'api_key',
  'x-api-key',
  'secret',
  'private_key',
]
const SECRET_QUERY = new RegExp(`([?&](?:${SECRET_KEYS.join('|')})=)[^&#\\s"]+`, 'gi')
const BEARER = /\b(Bearer|Basic|Splunk|ApiKey) [\w.~+/=-]{8,}/gi
const URL_PASSWORD = /(\/\/[^/\s:@"]*:)[^@\s/"]+@/g
const HIDDEN = '[hidden]'

/**
 * JSON lines on standard error, or one readable line each on a terminal. Whatever the code hands
 * over, secrets do not come out: by name (`password`), by shape (`Bearer …`), and by value for
 * those registered with `hideSecret`.
 */
export function createLogger(options: {
  service: string
  level: string
  pretty: boolean
  write?: (line: string) => void
}) {
  const secrets = new Set<string>()

  function scrub(line: string): string {
    let clean = line
      .replace(SECRET_QUERY, `$1${HIDDEN}`)
      .replace(BEARER, `$1 ${HIDDEN}`)
      .replace(URL_PASSWORD, `$1${HIDDEN}@`)
    for (const value of secrets) clean = clean.replaceAll(value, HIDDEN)
    return clean
  }

  const write = options.write ?? ((line: string) => process.stderr.write(line))
  const output = options.pretty ? prettyStream(write) : { write }
  const logger = pino(
    {
      level: options.level,
      base: { service: options.service },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: {
        paths: SECRET_KEYS.flatMap((key) => {
          const quoted = `["${key}"]`
          return [quoted, `*${quoted}`, `*.*${quoted}`]
        }),
        censor: HIDDEN,
      },
      hooks: { streamWrite: scrub },
    },
    output,
  )
  return Object.assign(logger, {
    /** From now on this value appears in no line, wherever it stands. */
    hideSecret(value: string) {
      // A short value would punch holes into unrelated words.
      if (value.length >= 8) secrets.add(value)
    },
  })
}
