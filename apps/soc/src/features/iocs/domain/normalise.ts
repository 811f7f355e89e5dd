import type { IocType } from '@manara/soc-contract/iocs'
import {
  formatIpv4,
  formatIpv6,
  mappedIpv4,
  maskIpv4,
  maskIpv6,
  parseIpv4,
  parseIpv6,
} from './ip-address.ts'

export type Indicator = { type: IocType; value: string }

// An index entry must hold it, and no log line repeats more.
const LONGEST = 2_048

/** One spelling for each indicator, or nothing when the text is not of that type. */
const NORMALISE: Record<IocType, (text: string) => string | undefined> = {
  cve: (text) => (/^cve-\d{4}-\d{4,19}$/i.test(text) ? text.toUpperCase() : undefined),
  sha256: (text) => hash(text, 64),
  sha1: (text) => hash(text, 40),
  md5: (text) => hash(text, 32),
  ip: ipAddress,
  cidr: network,
  email,
  url: givenUrl,
  domain,
  // After md5, which looks the same: without its type it must say what it is.
  imphash: (text) => hash(text, 32),
}

/** How a value without a type is recognised: the narrow ones first. */
const TYPES = Object.keys(NORMALISE) as IocType[]

/** Accepts defanged text (`hxxp://evil[.]com`); the reason when it is not of the type. */
export function normaliseIoc(given: string, type?: IocType): Indicator | string {
  // Nobody defangs every character: a longer text is not read at all.
  if (given.length > 8 * LONGEST) return `must have at most ${LONGEST} characters`
  const [text, stated] = labelled(refang(given))
  if (text.length > LONGEST) return `must have at most ${LONGEST} characters`
  const wanted = type ?? stated
  if (wanted) {
    const value = !stated || stated === wanted ? NORMALISE[wanted](text) : undefined
    return value === undefined ? `is not a valid ${wanted}` : { type: wanted, value }
  }
  for (const candidate of TYPES) {
    // A name alone is a domain, although it could be the address of a page.
    const value =
      candidate === 'url' && !/[/:?]/.test(text) ? undefined : NORMALISE[candidate](text)
    if (value !== undefined) return { type: candidate, value }
  }
  return 'is no address, network, domain, URL, hash, e-mail address or CVE'
}

/** As text that is read back as the same indicator where nothing else tells its type. */
export const spelled = ({ type, value }: Indicator) =>
  type === 'imphash' ? `${type}:${value}` : value

/** `IMPHASH=…`, `md5:…`: a hash may say itself which one it is, as Sysmon writes it. */
function labelled(text: string): [text: string, type?: IocType] {
  const [label, type] = /^(imphash|md5|sha1|sha256)\s{0,9}[:=]\s{0,9}/i.exec(text) ?? []
  return label === undefined ? [text] : [text.slice(label.length), type?.toLowerCase() as IocType]
}

/** Undoes what people do to indicators so that nobody clicks on them. */
function refang(text: string): string {
  return text
    .trim()
    .replace(/^["'`<]{1,9}|["'`>]{1,9}$/g, '')
    .replace(/^h(?:xx|tt|\*\*)p(s?)(?=\[?:)/i, 'http$1')
    .replace(/^fxp(s?)(?=\[?:)/i, 'ftp$1')
    .replaceAll(/\[:\/\/\]|\[:\]\/\//g, '://')
    .replaceAll(/\[:\]/g, ':')
    .replaceAll(/\s{0,9}(?:\[\.\]|\(\.\)|\{\.\}|\[dot\]|\(dot\)|\\\.)\s{0,9}/gi, '.')
    .replaceAll(/\s{0,9}(?:\[@\]|\(@\)|\[at\]|\(at\))\s{0,9}/gi, '@')
}

const hash = (text: string, length: number) =>
  text.length === length && /^[0-9a-f]+$/i.test(text) ? text.toLowerCase() : undefined

function ipAddress(text: string): string | undefined {
  const v4 = parseIpv4(text)
  if (v4 !== undefined) return formatIpv4(v4)
  const v6 = parseIpv6(text.replace(/^\[(.*)\]$/, '$1').replace(/%\w+$/, ''))
  if (!v6) return undefined
  const mapped = mappedIpv4(v6)
  return mapped === undefined ? formatIpv6(v6) : formatIpv4(mapped)
}

/** With the bits of the host cleared; the network of everything is a mistake. */
function network(text: string): string | undefined {
  const [, address = '', bits = ''] = /^(\S+)\/([1-9]\d{0,2})$/.exec(text) ?? []
  const length = Number(bits)
  const v4 = parseIpv4(address)
  if (v4 !== undefined) {
    return length <= 32 && length > 0 ? `${formatIpv4(maskIpv4(v4, length))}/${length}` : undefined
  }
  const v6 = parseIpv6(address)
  if (!v6 || length > 128) return undefined
  // Events have the addresses in it as those of IPv4, and so has the matcher.
  const mapped = length > 96 ? mappedIpv4(v6) : undefined
  if (mapped !== undefined) return `${formatIpv4(maskIpv4(mapped, length - 96))}/${length - 96}`
  return `${formatIpv6(maskIpv6(v6, length))}/${length}`
}

const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/

/** Lower case, IDNA, without the root's dot; a wildcard means the domain, which covers it anyway. */
export function domain(text: string): string | undefined {
  const name = text
    .toLowerCase()
    .replace(/^\*?\./, '')
    .replace(/\.$/, '')
  const ascii = isAscii(name) ? name : toAscii(name)
  const labels = ascii.split('.')
  const last = labels.at(-1) ?? ''
  if (labels.length < 2 || ascii.length > 253 || !/[a-z]/.test(last)) return undefined
  return labels.every((label) => LABEL.test(label)) ? ascii : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the range is what ASCII means
const isAscii = (text: string) => /^[\x00-\x7f]*$/.test(text)

const toAscii = (name: string) =>
  /[\s/?#@:\\]/.test(name) ? '' : (URL.parse(`http://${name}/`)?.hostname ?? '')

function email(text: string): string | undefined {
  const at = text.lastIndexOf('@')
  const local = text.slice(0, at).replace(/^mailto:/i, '')
  const host = domain(text.slice(at + 1))
  if (at < 1 || local.length > 64 || !/^[^\s@<>(),;:"\\]+$/.test(local) || !host) return undefined
  return `${local.toLowerCase()}@${host}`
}

/**
 * One without a scheme stands for that place under any. Lists often leave it out; with a path, a port
 * or a query it is no domain.
 */
function givenUrl(text: string): string | undefined {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) return url(text)
  // A network that is none is no address of a page either.
  if (/^[\d.]+\/\d{1,3}$/.test(text)) return undefined
  const rest = text.replace(/^\/\//, '')
  const host = /^[^/?#:@\s]{1,253}(?=$|[/?#]|:\d{1,5}(?:$|[/?#]))/.exec(rest)?.[0] ?? ''
  if (domain(host) === undefined && parseIpv4(host) === undefined) return undefined
  const spelled = url(`http://${rest}`)
  return spelled && withoutScheme(spelled)
}

/** The host of an address with or without a scheme; nothing where there is none. */
export const hostOf = (address: string): string | undefined =>
  URL.parse(address.includes('://') ? address : `http://${address}`)?.hostname || undefined

export const withoutScheme = (address: string) => address.slice(address.indexOf('://') + 3)

/** As browsers spell it, without the fragment, which never leaves the browser. */
export function url(text: string): string | undefined {
  const parsed = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? URL.parse(text) : null
  if (!parsed?.hostname) return undefined
  parsed.hash = ''
  return parsed.href.length <= LONGEST ? parsed.href : undefined
}
