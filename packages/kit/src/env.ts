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

export const count = (fallback: number, { min = 0, max = 1_000_000_000 } = {}) =>
  kind(fallback, (text) =>
    /^\d{1,10}$/.test(text) && Number(text) >= min && Number(text) <= max
      ? Number(text)
      : refuse(`must be a whole number from ${min} to ${max}`),
  )

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

/** Service addresses carry credentials, so their value is never shown. */
export const url = (protocols: readonly string[]) =>
  kind<string | undefined>(
    undefined,
    (value) => {
      const parsed = URL.parse(value)
      return parsed && protocols.includes(parsed.protocol.slice(0, -1))
        ? value
        : refuse(`must be a URL that begins with ${list(protocols.map((name) => `${name}://`))}`)
    },
    true,
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
