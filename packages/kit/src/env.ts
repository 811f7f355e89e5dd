import { isIP } from 'node:net'
import path from 'node:path'
import { StartError } from './errors.ts'

type Kind<T> = { fallback: T; secret: boolean; parse(text: string): T }

/** Reads the listed settings; a bad one stops the start with a line that names it; an empty variable counts as not set. */
export function readEnv<Kinds extends Record<string, Kind<unknown>>>(
  env: NodeJS.ProcessEnv,
  kinds: Kinds,
): { [K in keyof Kinds]: Kinds[K] extends Kind<infer T> ? T : never } {
  const settings: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(kinds)) {
    const text = env[name]?.trim()
    settings[name] = text ? parse(name, text, kind) : kind.fallback
  }
  return settings as never
}

function parse<T>(name: string, text: string, kind: Kind<T>): T {
  try {
    return kind.parse(text)
  } catch (error) {
    const got = kind.secret ? '' : `, got ${JSON.stringify(text)}`
    throw new StartError(`${name}: ${(error as Error).message}${got}`)
  }
}

function refuse(why: string): never {
  throw new Error(why)
}

const kind = <T>(fallback: T, parseText: (text: string) => T, secret = false): Kind<T> => ({
  fallback,
  secret,
  parse: parseText,
})

/** 0 lets the system choose a free port. */
export const port = (fallback: number) =>
  kind(fallback, (text) =>
    /^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : refuse('must be a port'),
  )

/** `5514`, `0.0.0.0:5514`, `[::]:5514`, or `off`; a port alone leaves the host to the service. */
export const listenAddress = () =>
  kind<{ host: string | undefined; port: number } | undefined>(undefined, (value) => {
    if (value === 'off') return undefined
    const [, bracketed, plain, digits] =
      /^(?:(?:\[([^\]]+)\]|([^:[\]]+)):)?(\d{1,5})$/.exec(value) ?? []
    if (digits === undefined || Number(digits) > 65_535) {
      return refuse('must be a port, host:port or off')
    }
    return { host: bracketed ?? plain, port: Number(digits) }
  })

export const count = (fallback: number, { min = 0, max = 1_000_000_000 } = {}) =>
  kind(fallback, (text) =>
    /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? Number(text)
      : refuse(`must be a whole number from ${min} to ${max}`),
  )

const SIZES: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 }

/** `500G`, or plain bytes. */
export const bytes = (fallback: number) =>
  kind(fallback, (text) => {
    const [, digits, unit = ''] = /^(\d{1,15})([KMGT]?)(?:i?B)?$/i.exec(text) ?? []
    if (digits === undefined) return refuse('must be a number of bytes, such as 500G')
    return Number(digits) * (SIZES[unit.toUpperCase()] ?? 1)
  })

/** `dns=7,sshd=90` */
export const countsByName = ({ min = 0, max = 1_000_000_000 } = {}) =>
  kind<Record<string, number>>({}, (text) => {
    const pairs = text.split(',').map((pair) => /^\s*([^=]+?)\s*=\s*(\d{1,10})\s*$/.exec(pair))
    return Object.fromEntries(
      pairs.map((pair) => {
        const [, name = '', digits = ''] = pair ?? []
        const value = Number(digits)
        if (!pair || value < min || value > max) {
          return refuse(`must be name=number, separated by commas, from ${min} to ${max}`)
        }
        return [name, value]
      }),
    )
  })

export const oneOf = <const T extends string>(values: readonly T[], fallback: T) =>
  kind<T>(
    fallback,
    (text) => values.find((value) => value === text) ?? refuse(`must be ${list(values)}`),
  )

/** One of the words, or one of the prefixes with something after it: `pn532:/dev/ttyUSB0`. */
export const wordOrPrefixed = <const T extends string>(
  words: readonly T[],
  prefixes: readonly string[],
  fallback: T,
) =>
  kind<string>(fallback, (text) =>
    words.some((word) => word === text) ||
    prefixes.some((prefix) => text.startsWith(prefix) && text.length > prefix.length)
      ? text
      : refuse(`must be ${list([...words, ...prefixes.map((prefix) => `${prefix}…`)])}`),
  )

/** `on` or `off`; the words people try instead are understood too. */
export const flag = (fallback: boolean) =>
  kind(fallback, (text) => {
    if (/^(on|true|yes|1)$/i.test(text)) return true
    if (/^(off|false|no|0)$/i.test(text)) return false
    return refuse('must be on or off')
  })

export const text = (fallback: string) => kind(fallback, (value) => value)

/** Relative paths are relative to where the service was started. */
export const directory = (fallback: string) =>
  kind(path.resolve(fallback), (value) =>
    value.includes('\0') ? refuse('must be a path') : path.resolve(value),
  )

export const file = () => kind<string | undefined>(undefined, (value) => path.resolve(value))

/** Names, addresses and networks, each with a port if only that is meant: `10.0.0.0/8, hooks.lan:8080`. */
export const hosts = () =>
  kind<readonly string[]>([], (value) => {
    const entries = value.split(',').map((entry) => entry.trim())
    const bad = entries.find((entry) => !isHost(entry))
    return bad === undefined ? entries : refuse(`${JSON.stringify(bad)} is no host or network`)
  })

/** Addresses and networks alone: `127.0.0.1, 10.0.0.0/8`. */
export const networks = () =>
  kind<readonly string[]>([], (value) => {
    const entries = value.split(',').map((entry) => entry.trim())
    const bad = entries.find((entry) => isIP(entry) === 0 && !isNetwork(entry))
    return bad === undefined ? entries : refuse(`${JSON.stringify(bad)} is no address or network`)
  })

/** Whose pages may call: `https://player.example.org`, or a name with or without a port. */
export const origins = () =>
  kind<readonly string[]>([], (value) => {
    const entries = value.split(',').map((entry) => entry.trim().toLowerCase())
    const bad = entries.find((entry) => !isOrigin(entry))
    return bad === undefined ? entries : refuse(`${JSON.stringify(bad)} is no origin or host`)
  })

function isOrigin(entry: string): boolean {
  const url = URL.parse(entry.includes('://') ? entry : `http://${entry}`)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  return url.href === `${url.origin}/` && /^(\[[\da-f:.]+\]|[\w.-]+)$/.test(url.hostname)
}

function isNetwork(entry: string): boolean {
  const [address = '', bits = ''] = entry.split('/')
  return /^\d{1,3}$/.test(bits) && Number(bits) <= ({ 4: 32, 6: 128 }[isIP(address)] ?? -1)
}

function isHost(entry: string): boolean {
  if (entry.includes('/')) return isNetwork(entry)
  return isIP(entry) > 0 || /^(\[[\da-f:.]+\]|[\w.-]+)(:\d{1,5})?$/i.test(entry)
}

/** Service addresses carry credentials, so their value is never shown. */
export const url = (protocols: readonly string[]) =>
  kind<string | undefined>(undefined, (value) => checkUrl(value, protocols), true)

/** Several with a comma between them. */
export const urls = (protocols: readonly string[]) =>
  kind<string[]>(
    [],
    (value) => value.split(',').map((one) => checkUrl(one.trim(), protocols)),
    true,
  )

function checkUrl(value: string, protocols: readonly string[]): string {
  const parsed = URL.parse(value)
  return parsed && protocols.includes(parsed.protocol.slice(0, -1))
    ? value
    : refuse(`must be a URL that begins with ${list(protocols.map((name) => `${name}://`))}`)
}

/** A name as programs give them: letters, digits and underscores. */
export const identifier = () =>
  kind<string | undefined>(undefined, (value) =>
    /^[a-zA-Z_]\w*$/.test(value) ? value : refuse('must be letters, digits and underscores'),
  )

export const secret = ({ minLength = 1 } = {}) =>
  kind<string | undefined>(
    undefined,
    (value) =>
      value.length >= minLength ? value : refuse(`must have at least ${minLength} characters`),
    true,
  )

function list(values: readonly string[]): string {
  return values.length < 2
    ? values.join('')
    : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
