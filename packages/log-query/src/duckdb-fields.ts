import type { FieldValue, Scalar } from './event.ts'
import { type FieldShape, kindOf, noFields, withField } from './field-shapes.ts'

/**
 * How the fields of an event stand in DuckDB: names and values as two texts with the same
 * separator, so that a search reads values without their names, events of one kind share one
 * `names`, and both compress well. What else free text has to find, beside the message, follows the
 * values: then two columns are read instead of ten.
 */
export type FieldColumns = {
  /** Null when no field has a value. */
  names: string | null
  /** The texts of the values, a list's elements between the second separator; then the others. */
  vals: string | null
  /** One character; two when a value is a list. Neither occurs in a name or a value. */
  sep: string
  /** What the texts were, between commas: a letter, or a list's letters; then fields without any value as JSON. */
  kinds: string
}

export function encodeFields(
  fields: Record<string, FieldValue>,
  others: string[] = [],
): FieldColumns {
  return encodeSingle(fields, others) ?? encodeAny(fields, others)
}

/** Fields of which none is a list, as nearly all events have them: nothing where a text holds a separator. */
function encodeSingle(
  fields: Record<string, FieldValue>,
  others: string[],
): FieldColumns | undefined {
  let shape: FieldShape | undefined = noFields()
  let vals = ''
  for (const name in fields) {
    const value = fields[name] as FieldValue
    if (typeof value === 'object' && value !== null) return undefined
    shape = withField(shape, name, value)
    if (shape === undefined) return undefined
    if (value !== null) vals = shape.count === 1 ? String(value) : `${vals}\x1f${value}`
  }
  const { names, kinds, count } = shape
  const texts = count + others.length
  if (texts === 0) return { names: null, vals: null, sep: '\x1f', kinds }
  if (others.length > 0) {
    const more = others.join('\x1f')
    vals = count === 0 ? more : `${vals}\x1f${more}`
  }
  if (countOf(vals, '\x1f') !== texts - 1 || vals.includes('\x1e')) return undefined
  return { names, vals, sep: '\x1f', kinds }
}

function countOf(text: string, letter: string): number {
  let count = 0
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) count += 1
  return count
}

function encodeAny(fields: Record<string, FieldValue>, others: string[]): FieldColumns {
  const names: string[] = []
  const texts: (string | string[])[] = []
  const shapes: string[] = []
  let hasLists = false
  let bare: Record<string, FieldValue> | undefined
  for (const name in fields) {
    const value = fields[name] as FieldValue
    if (Array.isArray(value)) {
      const elements = value.filter((element) => element !== null)
      if (elements.length > 0) {
        names.push(name)
        texts.push(elements.map(String))
        shapes.push(`[${value.map(kindOf).join('')}`)
        hasLists = true
        continue
      }
    } else if (value !== null) {
      names.push(name)
      texts.push(String(value))
      shapes.push(kindOf(value))
      continue
    }
    bare ??= {}
    bare[name] = value
  }
  const kinds = bare ? `${shapes.join()}\n${JSON.stringify(bare)}` : shapes.join()
  texts.push(...others)
  if (texts.length === 0) return { names: null, vals: null, sep: '\x1f', kinds }

  let sep = hasLists ? '\x1f\x1e' : '\x1f'
  let columns = join(names, texts, sep)
  if (countSeparators(columns) !== expectedSeparators(names, texts)) {
    sep = freeSeparators(columns, hasLists ? 2 : 1)
    columns = join(names, texts, sep)
  }
  return { ...columns, sep, kinds }
}

type Joined = { names: string | null; vals: string }

function join(names: string[], texts: (string | string[])[], sep: string): Joined {
  const [outer = '', inner = ''] = sep
  return {
    names: names.length === 0 ? null : names.join(outer),
    vals: texts.map((text) => (typeof text === 'string' ? text : text.join(inner))).join(outer),
  }
}

function countSeparators({ names, vals }: Joined): number {
  let count = 0
  for (const text of [names ?? '', vals]) {
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i)
      if (unit === 0x1f || unit === 0x1e) count += 1
    }
  }
  return count
}

function expectedSeparators(names: string[], texts: (string | string[])[]): number {
  let count = Math.max(0, names.length - 1) + texts.length - 1
  for (const text of texts) if (typeof text !== 'string') count += text.length - 1
  return count
}

function freeSeparators(used: Joined, count: number): string {
  let found = ''
  for (let code = 0xe000; found.length < count; code++) {
    const char = String.fromCharCode(code)
    if (!used.names?.includes(char) && !used.vals.includes(char)) found += char
  }
  return found
}

export function decodeFields({
  names,
  vals,
  sep,
  kinds,
}: FieldColumns): Record<string, FieldValue> {
  const fields: Record<string, FieldValue> = {}
  const [outer = '', inner = ''] = sep
  const end = kinds.indexOf('\n')
  if (names !== null && vals !== null) {
    const shapes = (end < 0 ? kinds : kinds.slice(0, end)).split(',')
    const texts = vals.split(outer)
    names.split(outer).forEach((name, at) => {
      const shape = shapes[at] ?? 's'
      const text = texts[at] ?? ''
      const isList = shape.startsWith('[')
      set(fields, name, isList ? decodeList(shape, text.split(inner)) : decodeScalar(shape, text))
    })
  }
  if (end >= 0) {
    const bare: Record<string, FieldValue> = JSON.parse(kinds.slice(end + 1))
    for (const name in bare) set(fields, name, bare[name] as FieldValue)
  }
  return fields
}

function decodeList(shape: string, texts: string[]): Scalar[] {
  let next = 0
  return [...shape.slice(1)].map((kind) =>
    kind === '0' ? null : decodeScalar(kind, texts[next++] ?? ''),
  )
}

/** A field may be called `__proto__`. */
function set(fields: Record<string, FieldValue>, name: string, value: FieldValue) {
  if (name === '__proto__') {
    Object.defineProperty(fields, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  } else fields[name] = value
}

function decodeScalar(kind: string, text: string): Scalar {
  if (kind === 'n') return Number(text)
  return kind === 'b' ? text === 'true' : text
}
