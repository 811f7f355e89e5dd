import type { ParserDefinition } from '@manara/soc-contract/parsers'
import type { Found, ReadMessage } from './found.ts'

type KeyValue = Extract<ParserDefinition, { kind: 'key_value' }>

const FIELD = /^[A-Za-z_@][\w.@-]{0,199}$/
const MOST_PAIRS = 500

/** `key=value` after `key=value`; a value in quotation marks may hold what separates pairs. */
export function compileKeyValue(definition: KeyValue): ReadMessage {
  const { pair_separator: pair, value_separator: equals } = definition
  const names = new Map(Object.entries(definition.rename))
  if (pair === equals) throw new Error('value_separator: must differ from pair_separator')

  return (message) => {
    const found: Found = {}
    let at = 0
    for (let pairs = 0; pairs < MOST_PAIRS && at < message.length; pairs += 1) {
      const mid = message.indexOf(equals, at)
      if (mid < 0) break
      const before = message.slice(at, mid)
      const last = before.lastIndexOf(pair)
      const key = last < 0 ? before : before.slice(last + pair.length)
      const start = mid + equals.length
      const { value, end } = valueFrom(message, start, pair)
      at = end
      const name = names.get(key.trim()) ?? key.trim()
      if (value !== '' && FIELD.test(name)) found[name] ??= value
    }
    return Object.keys(found).length > 0 ? found : undefined
  }
}

function valueFrom(text: string, start: number, pair: string): { value: string; end: number } {
  const mark = text[start]
  if (mark !== '"' && mark !== "'") {
    const next = text.indexOf(pair, start)
    const end = next < 0 ? text.length : next
    return { value: text.slice(start, end).trim(), end }
  }
  let end = start + 1
  while (end < text.length && text[end] !== mark) end += text[end] === '\\' ? 2 : 1
  const value = text.slice(start + 1, end).replaceAll(/\\(.)/gs, '$1')
  return { value, end: Math.min(end + 1, text.length) }
}
