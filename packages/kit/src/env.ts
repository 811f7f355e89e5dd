import { isIP } from 'node:net'
import path from 'node:path'
import { z } from 'zod'
import { StartError } from './errors.ts'
import { nearestNames } from './nearest-names.ts'

/** Of settings whose value may hold a password: it is never shown. */
const SECRET = { isSecret: true }

/** Reads the listed settings; a bad one stops the start with a line that names it; an empty variable counts as not set. */
export function readEnv<Kinds extends Record<string, z.ZodType>>(
  env: NodeJS.ProcessEnv,
  kinds: Kinds,
): z.output<z.ZodObject<Kinds>> {
  const given = Object.keys(kinds).map((name) => [name, env[name]?.trim() || undefined] as const)
  const { data, error } = z.object(kinds).safeParse(Object.fromEntries(given))
  const [issue] = error?.issues ?? []
  if (!issue) return data as z.output<z.ZodObject<Kinds>>
  const name = String(issue.path[0])
  const got = kinds[name]?.meta()?.isSecret ? '' : `, got ${JSON.stringify(env[name]?.trim())}`
  throw new StartError(`${name}: ${issue.message}${got}`)
}

/**
 * A line for each variable that begins like ours and is none of them: a name that was mistyped sets
 * nothing, and the service would start as if nobody had wanted anything.
 */
export function unknownSettings(
  env: NodeJS.ProcessEnv,
  prefix: string,
  known: readonly string[],
): string[] {
  return Object.keys(env)
    .filter((name) => name.startsWith(prefix) && !known.includes(name))
    .toSorted()
    .map((name) => {
      const [near] = nearestNames(name, known)
      return `${name} is no setting and has no effect${near ? `: did you mean ${near}?` : ''}`
    })
}

const wholeNumber = (why: string, min: number, max: number) =>
  z
    .string()
    .regex(/^\d{1,10}$/, why)
    .transform(Number)
    .refine((value) => value >= min && value <= max, why)

/** 0 lets the system choose a free port. */
export const port = (fallback: number) => wholeNumber('must be a port', 0, 65_535).default(fallback)

const LISTEN = /^(?:(?:\[(?<bracketed>[^\]]+)\]|(?<plain>[^:[\]]+)):)?(?<digits>\d{1,5})$/

/** `5514`, `0.0.0.0:5514`, `[::]:5514`, or `off`; a port alone leaves the host to the service. */
export const listenAddress = () =>
  z
    .string()
    .refine(
      (value) => value === 'off' || Number(LISTEN.exec(value)?.groups?.digits) <= 65_535,
      'must be a port, host:port or off',
    )
    .transform((value) => {
      const { bracketed, plain, digits } = LISTEN.exec(value)?.groups ?? {}
      return digits === undefined ? undefined : { host: bracketed ?? plain, port: Number(digits) }
    })
    .optional()

export const count = (fallback: number, { min = 0, max = 1_000_000_000 } = {}) =>
  wholeNumber(`must be a whole number from ${min} to ${max}`, min, max).default(fallback)

const SIZES: Record<string, number> = { '': 1, K: 2 ** 10, M: 2 ** 20, G: 2 ** 30, T: 2 ** 40 }
const SIZE = /^(\d{1,15})([KMGT]?)(?:i?B)?$/i

/** `500G`, or plain bytes. */
export const bytes = (fallback: number) =>
  z
    .string()
    .regex(SIZE, 'must be a number of bytes, such as 500G')
    .transform((value) => {
      const [, digits, unit = ''] = SIZE.exec(value) ?? []
      return Number(digits) * (SIZES[unit.toUpperCase()] ?? 1)
    })
    .default(fallback)

/** `dns=7,sshd=90` */
export const countsByName = ({ min = 0, max = 1_000_000_000 } = {}) => {
  const why = `must be name=number, separated by commas, from ${min} to ${max}`
  const pair = z
    .string()
    .regex(/^\s*[^=]+=\s*\d{1,10}\s*$/, why)
    .transform((text) => text.split('=').map((half) => half.trim()) as [string, string])
    .pipe(z.tuple([z.string().min(1, why), wholeNumber(why, min, max)]))
  return listOf(pair)
    .transform((pairs): Record<string, number> => Object.fromEntries(pairs))
    .default({})
}

export const oneOf = <const T extends string>(values: readonly T[], fallback: T) =>
  z.enum(values, `must be ${either(values)}`).default(fallback as never)

/** One of the words, or one of the prefixes with something after it: `pn532:/dev/ttyUSB0`. */
export const wordOrPrefixed = (
  words: readonly string[],
  prefixes: readonly string[],
  fallback: string,
) =>
  z
    .string()
    .refine(
      (value) =>
        words.includes(value) ||
        prefixes.some((prefix) => value.startsWith(prefix) && value.length > prefix.length),
      `must be ${either([...words, ...prefixes.map((prefix) => `${prefix}…`)])}`,
    )
    .default(fallback)

/** `on` or `off`; the words people try instead are understood too. */
export const flag = (fallback: boolean) =>
  z
    .stringbool({
      truthy: ['on', 'true', 'yes', '1'],
      falsy: ['off', 'false', 'no', '0'],
      error: 'must be on or off',
    })
    .default(fallback)

export const text = (fallback: string) => z.string().default(fallback)

const aPath = () =>
  z
    .string()
    .refine((value) => !value.includes('\0'), 'must be a path')
    .transform((value) => path.resolve(value))

/** Relative paths are relative to where the service was started. */
export const directory = (fallback: string) => aPath().default(path.resolve(fallback))

export const file = () => aPath().optional()

/** Names, addresses and networks, each with a port if only that is meant: `10.0.0.0/8, hooks.lan:8080`. */
export const hosts = () => listOf(entry(isHost, 'is no host or network')).default([])

/** Addresses and networks alone: `127.0.0.1, 10.0.0.0/8`. */
export const networks = () =>
  listOf(entry((one) => isIP(one) > 0 || isNetwork(one), 'is no address or network')).default([])

/** Whose pages may call: `https://player.example.org`, or a name with or without a port. */
export const origins = () =>
  listOf(z.string().toLowerCase().pipe(entry(isOrigin, 'is no origin or host'))).default([])

/** Any words. */
export const names = () => listOf(z.string().min(1, 'must not have empty names')).default([])

/** Several with a comma between them. */
const listOf = <Item extends z.ZodType<unknown, string>>(item: Item) =>
  z
    .string()
    .transform((value) => value.split(',').map((one) => one.trim()))
    .pipe(z.array(item))

const entry = (isRight: (one: string) => boolean, why: string) =>
  z.string().refine(isRight, { error: ({ input }) => `${JSON.stringify(input)} ${why}` })

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

const urlOf = (protocols: readonly string[]) =>
  z
    .string()
    .refine(
      (value) => protocols.includes(URL.parse(value)?.protocol.slice(0, -1) ?? ''),
      `must be a URL that begins with ${either(protocols.map((name) => `${name}://`))}`,
    )

/** Service addresses carry credentials. */
export const url = (protocols: readonly string[]) => urlOf(protocols).optional().meta(SECRET)

export const urls = (protocols: readonly string[]) =>
  listOf(urlOf(protocols)).default([]).meta(SECRET)

/** A name as programs give them: letters, digits and underscores. */
export const identifier = () =>
  z
    .string()
    .regex(/^[a-zA-Z_]\w*$/, 'must be letters, digits and underscores')
    .optional()

export const secret = ({ minLength = 1 } = {}) =>
  z.string().min(minLength, `must have at least ${minLength} characters`).optional().meta(SECRET)

/** A secret, or `secret:` and the name under which the service keeps it. */
export const credential = ({ minLength = 1 } = {}) =>
  z
    .string()
    .refine(
      (value) =>
        value.startsWith('secret:') ? NAMED_SECRET.test(value) : value.length >= minLength,
      `must have at least ${minLength} characters, or be secret: and the name of a stored one`,
    )
    .optional()
    .meta(SECRET)

const NAMED_SECRET = /^secret:[a-z][a-z0-9_-]{0,63}$/

function either(values: readonly string[]): string {
  return values.length < 2
    ? values.join('')
    : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`
}
