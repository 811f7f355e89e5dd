import type { IocType } from '@manara/soc-contract/iocs'

export type PatternValue = { type: IocType | undefined; value: string }

/** Which object paths of STIX hold an indicator; without a type it is told from the value. */
const PATHS: [RegExp, IocType | undefined][] = [
  [/^ipv[46]-addr:value$/, undefined],
  [/^network-traffic:(?:src|dst)_ref\.value$/, undefined],
  [/^domain-name:value$/, 'domain'],
  [/^url:value$/, 'url'],
  [/^email-addr:value$/, 'email'],
  [/^email-message:(?:from_ref|sender_ref)\.value$/, 'email'],
  [/^(?:file|artifact):hashes\.'?MD5'?$/i, 'md5'],
  [/^(?:file|artifact):hashes\.'?SHA-?1'?$/i, 'sha1'],
  [/^(?:file|artifact):hashes\.'?SHA-?256'?$/i, 'sha256'],
  // As STIX has it, and as others write it.
  [/^file:extensions\.'windows-pebinary-ext'\.imphash$/i, 'imphash'],
  [/^(?:file|artifact):hashes\.'?IMPHASH'?$/i, 'imphash'],
  [/^(?:file:)?pe[:.]imphash$/i, 'imphash'],
  [/^vulnerability:name$/, 'cve'],
]

/** Says no more than the value that follows. */
const KIND = /^network-traffic:(?:src|dst)_ref\.type$/

const TOKEN =
  /\s*(?:('[^'\\]*(?:\\.[^'\\]*)*(?:'|\\?$))|([a-z0-9-]+:[^\s=!<>()[\]]+(?:\[[*\d]+\][^\s=!<>()[\]]*)*)|(!=|<=|>=|[=<>()[\],])|([A-Za-z]+)|([a-z0-9-]+|\S))/gsy

/**
 * The values any one of which means a match. A pattern that needs several things together, or
 * compares otherwise than by equality, is no list of values: the reason is returned.
 */
export function patternValues(pattern: string): PatternValue[] | string {
  const tokens = tokensOf(pattern)
  const values: PatternValue[] = []
  let isJoined = false
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] ?? ''
    if (/^(?:FOLLOWEDBY|NOT|WITHIN|REPEATS|START|EXISTS)$/i.test(token)) return needsMore(token)
    if (/^AND$/i.test(token)) isJoined = true
    if (!token.includes(':') || token.startsWith("'")) continue
    const operator = tokens[at + 1] ?? ''
    if (KIND.test(token) && operator === '=' && /^AND$/i.test(tokens[at + 3] ?? '')) {
      at += 3
      continue
    }
    const literals = literalsAfter(tokens, at + 2)
    const isEquality = operator === '=' || /^IN$/i.test(operator) || /^ISSUBSET$/i.test(operator)
    if (!isEquality || literals.length === 0) return `the pattern compares with ${operator}`
    const path = PATHS.find(([known]) => known.test(token))
    if (!path) return `${token} is not supported`
    for (const value of literals) values.push({ type: path[1], value })
  }
  if (values.length === 0) return 'the pattern holds no value'
  const areHashesOfOneFile = values.every(({ type }) => type && /^(md5|sha|imphash)/.test(type))
  return isJoined && !areHashesOfOneFile ? needsMore('AND') : values
}

const needsMore = (word: string) =>
  `the pattern needs several things together (${word.toUpperCase()}), which is not one value`

function tokensOf(pattern: string): string[] {
  return [...pattern.matchAll(TOKEN)].map(([text]) => {
    const token = text.trim()
    // One that is never closed is no value.
    return token.startsWith("'") && !/^'.*'$/s.test(token) ? '?' : token
  })
}

/** One literal, or those of a list in parentheses. */
function literalsAfter(tokens: string[], from: number): string[] {
  const first = tokens[from] ?? ''
  if (first.startsWith("'")) return [unquoted(first)]
  if (first !== '(') return []
  const end = tokens.indexOf(')', from)
  return tokens
    .slice(from + 1, end < 0 ? undefined : end)
    .filter((token) => token.startsWith("'"))
    .map(unquoted)
}

const unquoted = (literal: string) => literal.slice(1, -1).replaceAll(/\\(.)/g, '$1')

const quoted = (value: string) => `'${value.replaceAll(/[\\']/g, '\\$&')}'`

/** The pattern that stands for one indicator; ours read it back as the same. */
export function patternOf({ type, value }: { type: IocType; value: string }): string {
  return `[${pathOf(type, value)} = ${quoted(value)}]`
}

function pathOf(type: IocType, value: string): string {
  switch (type) {
    case 'ip':
    case 'cidr':
      return value.includes(':') ? 'ipv6-addr:value' : 'ipv4-addr:value'
    case 'domain':
      return 'domain-name:value'
    case 'url':
      return 'url:value'
    case 'email':
      return 'email-addr:value'
    case 'md5':
      return 'file:hashes.MD5'
    case 'sha1':
      return "file:hashes.'SHA-1'"
    case 'sha256':
      return "file:hashes.'SHA-256'"
    case 'imphash':
      return "file:extensions.'windows-pebinary-ext'.imphash"
    case 'cve':
      return 'vulnerability:name'
  }
}
