import type { Found, ReadMessage } from './found.ts'

type Key = { name: string; kind: 'take' | 'skip' | 'append'; isPadded: boolean; order: number }

const FIELD = /^[A-Za-z_@][\w.@-]{0,199}$/
const MOST_KEYS = 100

/** Texts between which the values stand, looked for one after the other: each character once. */
export function compileDissect(pattern: string): ReadMessage {
  const parts = pattern.split(/%\{([^}]*)\}/)
  const keys = parts.filter((_, at) => at % 2 === 1).map(readKey)
  const between = parts.filter((_, at) => at % 2 === 0)
  if (keys.length === 0) throw new Error('pattern: takes nothing out: name a field, %{src_ip}')
  if (keys.length > MOST_KEYS) throw new Error(`pattern: has more than ${MOST_KEYS} fields`)
  if (between.slice(1, -1).includes('')) {
    throw new Error('pattern: between two fields must stand some text')
  }
  return (message) => dissect(message, keys, between)
}

function readKey(text: string): Key {
  const [, sign = '', name = '', order, arrow] =
    /^([+?]?)([^/>]*?)(?:\/(\d{1,2}))?(->)?$/.exec(text) ?? []
  if (text !== '' && name === '' && sign !== '?' && !arrow)
    throw new Error(`pattern: %{${text}} has no name`)
  const isSkipped = sign === '?' || name === ''
  if (!isSkipped && !FIELD.test(name)) throw new Error(`pattern: ${name} is no name of a field`)
  const kind = isSkipped ? 'skip' : sign === '+' ? 'append' : 'take'
  return { name, kind, isPadded: arrow !== undefined, order: Number(order ?? 0) }
}

function dissect(message: string, keys: Key[], between: string[]): Found | undefined {
  const [first = ''] = between
  if (!message.startsWith(first)) return undefined
  const found: Found = {}
  const appended = new Map<string, { order: number; text: string }[]>()
  let at = first.length
  for (const [index, key] of keys.entries()) {
    const after = between[index + 1] ?? ''
    const isLast = index === keys.length - 1
    const end = after === '' && isLast ? message.length : message.indexOf(after, at)
    if (end < 0) return undefined
    const text = message.slice(at, end)
    if (key.kind === 'take' && text !== '') found[key.name] = text
    if (key.kind === 'append') {
      appended.set(key.name, [...(appended.get(key.name) ?? []), { order: key.order, text }])
    }
    at = end + after.length
    if (key.isPadded && after !== '') while (message.startsWith(after, at)) at += after.length
  }
  for (const [name, texts] of appended) {
    const more = texts.toSorted((a, b) => a.order - b.order).map(({ text }) => text)
    found[name] = [found[name], ...more].filter((text) => text !== undefined).join(' ')
  }
  return found
}
