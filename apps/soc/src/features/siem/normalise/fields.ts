import type { FieldValue, Scalar } from '@manara/log-query/event'
import { endOfText, parseExactly } from './exact-json.ts'

export type JsonMap = Record<string, unknown>
export type Fields = Record<string, FieldValue>

/**
 * Which columns of an event a parser filled, in a name of a field without a value: names are not
 * found by free text, and equal ones cost an event next to nothing. Nobody is shown it.
 */
export const FILLED = '_filled.'
export const isParserMark = (name: string) => name.startsWith(FILLED)

/** What did not fit is one text under this name: still found by free text, and whole in `original`. */
export const OVERFLOW = '_overflow'

const MOST_FIELDS = 1_000
const MOST_DEPTH = 16
const MOST_ELEMENTS = 1_000

/**
 * Nested objects become dotted paths, lists their scalars in order. `isExact` says whether
 * un-dotting the result would give the same object again; where dots in names are paths by the
 * sender's own rules, they take nothing from that.
 */
export function flatten(object: JsonMap, areDotsPaths?: boolean): Flattened {
  const state = beginFields(areDotsPaths)
  const isWhole = flattenInto(state, object, '', 0)
  if (!isWhole) state.fields[OVERFLOW] = storable(JSON.stringify(object))
  return { fields: state.fields, isExact: state.isExact && isWhole }
}

export type Flattened = { fields: Fields; isExact: boolean }

type State = Flattened & {
  /** Lists that grow, by path: those that came as they are belong to the sender. */
  joined: Map<string, Scalar[]> | undefined
  count: number
  areDotsPaths: boolean
}

/** The same for one name after the other. */
export const beginFields = (areDotsPaths = false): State => ({
  fields: {},
  isExact: true,
  joined: undefined,
  count: 0,
  areDotsPaths,
})

/** False when it is one too many. */
export const putField = (state: State, name: string, value: unknown): boolean =>
  putNamed(state, '', name, value, 0)

function flattenInto(state: State, object: JsonMap, prefix: string, depth: number): boolean {
  let isEmpty = true
  for (const key in object) {
    isEmpty = false
    if (!putNamed(state, prefix, key, object[key], depth)) return false
  }
  if (isEmpty && prefix !== '') state.isExact = false
  return true
}

function putNamed(
  state: State,
  prefix: string,
  key: string,
  value: unknown,
  depth: number,
): boolean {
  if (isPlain(key)) return put(state, prefix === '' ? key : prefix + key, value, depth)
  const name = storable(key)
  if (name !== key || key === '' || key === '__proto__') state.isExact = false
  else if (!state.areDotsPaths && key.includes('.')) state.isExact = false
  return put(state, prefix + name, value, depth)
}

const MOST_KNOWN = 10_000
const LONGEST_KNOWN = 64
/** Names that were found to be nothing but themselves: there are few, and they come again and again. */
const known = new Set<string>()

function isPlain(key: string): boolean {
  if (known.has(key)) return true
  if (key === '' || key === '__proto__' || key.length > LONGEST_KNOWN) return false
  if (key.includes('.') || storable(key) !== key) return false
  if (known.size >= MOST_KNOWN) known.clear()
  known.add(key)
  return true
}

function put(state: State, path: string, value: unknown, depth: number): boolean {
  if (state.count >= MOST_FIELDS) return false
  if (Array.isArray(value)) return putList(state, path, value, depth)
  if (typeof value !== 'object' || value === null) return add(state, path, scalar(state, value))
  if (depth >= MOST_DEPTH) return add(state, path, asText(state, value))
  return flattenInto(state, value as JsonMap, `${path}.`, depth + 1)
}

function putList(state: State, path: string, list: unknown[], depth: number): boolean {
  if (list.every(isScalar) && list.length <= MOST_ELEMENTS) {
    return add(
      state,
      path,
      list.map((element) => scalar(state, element)),
    )
  }
  state.isExact = false
  if (depth >= MOST_DEPTH || list.length > MOST_ELEMENTS) {
    return add(state, path, asText(state, list))
  }
  // Elements of one shape share their paths: `[{a:1},{a:2}]` is found under `a` with both values.
  for (const element of list) if (!put(state, path, element, depth + 1)) return false
  return true
}

function add(state: State, path: string, value: FieldValue): boolean {
  // This one name would change the object instead of adding to it.
  if (path === '__proto__') return add(state, '__proto__.', value)
  const there = Object.hasOwn(state.fields, path) ? state.fields[path] : undefined
  if (there === undefined) {
    state.fields[path] = value
    state.count += 1
    return true
  }
  // The same path twice: `{"a.b":1,"a":{"b":2}}`, or elements of a list.
  state.isExact = false
  const more = [value].flat()
  const both = state.joined?.get(path) ?? [there].flat()
  if (both.length + more.length > MOST_ELEMENTS) return false
  both.push(...more)
  state.joined ??= new Map()
  state.joined.set(path, both)
  state.fields[path] = both
  return true
}

function scalar(state: State, value: unknown): Scalar {
  if (typeof value !== 'string') return value as Scalar
  const text = storable(value)
  if (text !== value) state.isExact = false
  return text
}

function asText(state: State, value: unknown): string {
  state.isExact = false
  return storable(JSON.stringify(value))
}

const isScalar = (value: unknown) => typeof value !== 'object' || value === null

/** Engines hold neither NUL nor half a surrogate pair. */
export function storable(text: string): string {
  const whole = text.isWellFormed() ? text : text.toWellFormed()
  return whole.includes('\0') ? whole.replaceAll('\0', '\ufffd') : whole
}

/** Deeper JSON is not taken apart at all: every walk over it would need a stack as deep. */
const MOST_NESTING = 200

/** Brackets inside texts are none; they are told apart only where there are many brackets. */
export const isTooDeep = (json: string): boolean => hasManyBrackets(json) && isNestedTooDeep(json)

/** Nearly no event has so many, and looking for the next one is quicker than looking at each letter. */
function hasManyBrackets(json: string): boolean {
  let count = 0
  for (const bracket of ['{', '[']) {
    for (let at = json.indexOf(bracket); at >= 0; at = json.indexOf(bracket, at + 1)) {
      count += 1
      if (count > MOST_NESTING) return true
    }
  }
  return false
}

function isNestedTooDeep(json: string): boolean {
  let depth = 0
  for (let at = 0; at < json.length; at += 1) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfText(json, at)
    else if (code === 0x7b || code === 0x5b) {
      depth += 1
      if (depth > MOST_NESTING) return true
    } else if ((code === 0x7d || code === 0x5d) && depth > 0) depth -= 1
  }
  return false
}

const QUOTE = 0x22

/** The fields as they came, in their nested shape, with what a parser added. */
export function rebuild(log: { fields: Fields; original: string | null }): JsonMap {
  if (log.original === null) return nest(log.fields)
  const object = parseExactly(log.original) as JsonMap
  const { fields: came } = flatten(object)
  const added = Object.entries(log.fields).filter(
    ([name]) => !Object.hasOwn(came, name) && !isParserMark(name),
  )
  // A parser's names stay as they are: inside the sender's own shape they would look like its own.
  const whole: JsonMap = { ...object, ...Object.fromEntries(added) }
  for (const [name] of added) if (Object.hasOwn(object, name)) putBelow(whole, name, came)
  return whole
}

/** An object whose name a line has, too, stays as its paths. */
function putBelow(whole: JsonMap, name: string, came: Fields) {
  for (const path in came) if (path.startsWith(`${name}.`)) whole[path] = came[path]
}

function nest(fields: Fields): JsonMap {
  const root: JsonMap = {}
  for (const [name, value] of Object.entries(fields)) {
    if (isParserMark(name)) continue
    const path = name.split('.')
    if (isPath(path, fields)) place(root, path, value)
    else root[name] = value
  }
  return root
}

/** Not where something stands in its way, as `a` does for `a.b`, or where no object was so deep. */
function isPath(path: string[], fields: Fields): boolean {
  if (path.length > MOST_DEPTH + 1 || path.includes('__proto__')) return false
  return path.every((_, at) => at === 0 || !Object.hasOwn(fields, path.slice(0, at).join('.')))
}

function place(root: JsonMap, path: string[], value: FieldValue) {
  const last = path.pop() as string
  let at = root
  for (const step of path) {
    if (!Object.hasOwn(at, step)) at[step] = {}
    at = at[step] as JsonMap
  }
  at[last] = value
}
