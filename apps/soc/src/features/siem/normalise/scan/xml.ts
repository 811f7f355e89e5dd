import type { JsonMap } from '../fields.ts'
import { work } from './work.ts'

const MOST_DEPTH = 16
const MOST_ELEMENTS = 2_000

type Element = { name: string; map: JsonMap; text: string }

/**
 * The element that begins at `from`, as objects: attributes under `@name`, text under `#text`, what
 * has only text as that text, elements of one name as a list. Undefined when it is not well formed.
 */
export function elementAt(
  text: string,
  from: number,
): { name: string; value: unknown } | undefined {
  const open: Element[] = []
  let count = 0
  let at = from
  while (at < text.length) {
    const start = text.indexOf('<', at)
    const end = start === -1 ? -1 : endOfTag(text, start)
    if (end === -1) return undefined
    work.steps += end + 1 - at
    const inner = open.at(-1)
    if (inner) inner.text += text.slice(at, start)
    at = end + 1
    const tag = text.slice(start + 1, end)
    if (tag[0] === '?' || tag[0] === '!') continue
    if (tag[0] === '/') {
      const closed = open.pop()
      if (!closed || closed.name !== tag.slice(1).trim()) return undefined
      const outer = open.at(-1)
      if (!outer) return { name: closed.name, value: contentOf(closed) }
      add(outer.map, closed.name, contentOf(closed))
      continue
    }
    count += 1
    if (open.length >= MOST_DEPTH || count > MOST_ELEMENTS) return undefined
    const isEmpty = tag.endsWith('/')
    const opened = opening(isEmpty ? tag.slice(0, -1) : tag)
    const outer = open.at(-1)
    if (!isEmpty) open.push(opened)
    else if (outer) add(outer.map, opened.name, contentOf(opened))
    else return { name: opened.name, value: contentOf(opened) }
  }
  return undefined
}

/** A `>` inside quotes belongs to an attribute. */
function endOfTag(text: string, start: number): number {
  let quote = ''
  for (let at = start + 1; at < text.length; at += 1) {
    const one = text[at] ?? ''
    if (quote) quote = one === quote ? '' : quote
    else if (one === '"' || one === "'") quote = one
    else if (one === '>') return at
    else if (one === '<') return -1
  }
  return -1
}

function opening(tag: string): Element {
  let at = 0
  while (at < tag.length && !isSpace(tag[at])) at += 1
  const element: Element = { name: tag.slice(0, at), map: {}, text: '' }
  while (at < tag.length) {
    while (isSpace(tag[at])) at += 1
    const equals = tag.indexOf('=', at)
    const quote = tag[equals + 1]
    const close = equals === -1 || !quote ? -1 : tag.indexOf(quote, equals + 2)
    if (close === -1) break
    element.map[`@${tag.slice(at, equals).trim()}`] = decoded(tag.slice(equals + 2, close))
    at = close + 1
  }
  work.steps += tag.length
  return element
}

const isSpace = (one: string | undefined) =>
  one === ' ' || one === '\t' || one === '\n' || one === '\r'

function contentOf({ map, text }: Element): unknown {
  const own = decoded(withoutMargin(text))
  for (const _ in map) return own ? { ...map, '#text': own } : map
  return own
}

/** Blanks are part of a text, as behind a command line, unless they set the elements apart. */
const withoutMargin = (text: string) => {
  const trimmed = text.trim()
  return trimmed === '' || text[0] === '\n' || text[0] === '\r' ? trimmed : text
}

function add(map: JsonMap, name: string, value: unknown) {
  if (name === '__proto__') return
  const there = Object.hasOwn(map, name) ? map[name] : undefined
  if (there === undefined) map[name] = value
  else if (Array.isArray(there)) there.push(value)
  else map[name] = [there, value]
}

const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

function decoded(text: string): string {
  if (!text.includes('&')) return text
  work.steps += text.length
  return text.replace(
    /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([a-z]{2,4}));/g,
    (whole, dec, hex, name) => {
      if (name) return ENTITIES[name] ?? whole
      const code = dec ? Number(dec) : Number.parseInt(hex, 16)
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole
    },
  )
}
