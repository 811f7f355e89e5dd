import { compileCaptures } from '@manara/log-query/regex'
import type { ParserDefinition } from '@manara/soc-contract/parsers'
import type { Found, ReadMessage } from './found.ts'
import { GROK_PATTERNS } from './grok-patterns.ts'

type Grok = Extract<ParserDefinition, { kind: 'grok' }>
type Capture = { field: string; type: string | undefined }

const MOST_DEPTH = 12
const LONGEST = 20_000
const REFERENCE = /%\{([A-Za-z0-9_]+)(?::([^:}]+))?(?::([a-z]+))?\}/g
const NAMED_GROUP = /\(\?P?<([A-Za-z][\w.@-]*)>/g
const FIELD = /^[A-Za-z_@][\w.@-]{0,199}$/

/** Grok becomes one expression of the linear engine; throws a sentence that says what is wrong. */
export function compileGrok({ pattern, definitions }: Grok): ReadMessage {
  const captures: Capture[] = []
  const source = expand(pattern, 0)

  function expand(text: string, depth: number): string {
    if (depth > MOST_DEPTH) throw new Error('pattern: names stand for each other in a ring')
    const named = text
      .replaceAll('(?>', '(?:')
      .replaceAll(NAMED_GROUP, (_, name: string) => capture(name, undefined))
    const whole = named.replaceAll(REFERENCE, (_, name: string, field?: string, type?: string) => {
      const known = definitions[name] ?? GROK_PATTERNS[name]
      if (known === undefined) throw new Error(`pattern: %{${name}} is not known`)
      const inner = expand(known, depth + 1)
      return field === undefined ? `(?:${inner})` : `${capture(field, type)}${inner})`
    })
    if (whole.length > LONGEST)
      throw new Error('pattern: is too long once its names are written out')
    return whole
  }

  function capture(field: string, type: string | undefined): string {
    // `[source][ip]` is how some write a path.
    const name = field.startsWith('[') ? field.slice(1, -1).replaceAll('][', '.') : field
    if (!FIELD.test(name)) throw new Error(`pattern: ${field} is no name of a field`)
    if (type !== undefined && !['int', 'long', 'float', 'string'].includes(type)) {
      throw new Error(`pattern: ${type} is no type: use int or float`)
    }
    captures.push({ field: name, type })
    return `(?P<f${captures.length - 1}>`
  }

  if (captures.length === 0)
    throw new Error('pattern: takes nothing out: name a field, %{IP:src_ip}')
  const match = compileCaptures(source)
  return (message) => {
    const groups = match(message)
    if (!groups) return undefined
    const found: Found = {}
    for (const [at, { field, type }] of captures.entries()) {
      const text = groups[`f${at}`]
      if (text) found[field] ??= type && type !== 'string' ? numberOf(text) : text
    }
    return found
  }
}

function numberOf(text: string): string | number {
  const number = Number(text)
  return Number.isFinite(number) ? number : text
}
