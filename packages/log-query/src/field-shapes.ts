import type { Scalar } from './event.ts'

/**
 * What the names of an event's fields and the kinds of their values make, the same for all events of
 * one sender: it is made once, and the next event only follows its names.
 */
export type FieldShape = {
  /** Of those with a value, between separators; null when there is none. */
  names: string | null
  /** The kind of each; then those without a value as JSON. */
  kinds: string
  /** How many have a value. */
  count: number
  /** Those without a value, as members of an object. */
  bare: string
  fields: number
  next: Record<Kind, Map<string, FieldShape>>
}

type Kind = ReturnType<typeof kindOf>

export function kindOf(value: Scalar): '0' | 's' | 'n' | 'b' {
  if (value === null) return '0'
  if (typeof value === 'string') return 's'
  return typeof value === 'number' ? 'n' : 'b'
}

/** Events with more fields, or longer names, are not remembered. */
const MOST_FIELDS = 64
const LONGEST_NAME = 64
/** Senders that have other names in every event gain nothing, and take no more room than this. */
const MOST_SHAPES = 4_096

const empty = (): FieldShape => ({
  ...{ names: null, kinds: '', count: 0, bare: '', fields: 0 },
  next: { 0: new Map(), s: new Map(), n: new Map(), b: new Map() },
})

let first = empty()
let known = 0

export const noFields = (): FieldShape => first

/** With one field more; nothing for those that are not remembered, or whose name holds a separator. */
export const withField = (shape: FieldShape, name: string, value: Scalar) =>
  shape.next[kindOf(value)].get(name) ?? learn(shape, name, kindOf(value))

function learn(shape: FieldShape, name: string, kind: Kind): FieldShape | undefined {
  const isPlain = !name.includes('\x1f') && !name.includes('\x1e')
  if (!isPlain || name.length > LONGEST_NAME || shape.fields >= MOST_FIELDS) return undefined
  if (known >= MOST_SHAPES) {
    first = empty()
    known = 0
  }
  const longer = kind === '0' ? withBare(shape, name) : withValue(shape, name, kind)
  shape.next[kind].set(name, longer)
  known += 1
  return longer
}

function withValue(shape: FieldShape, name: string, kind: Kind): FieldShape {
  const { names, kinds, count, bare } = shape
  const shapes = count === 0 ? kind : `${withoutBare(kinds)},${kind}`
  return {
    ...empty(),
    names: names === null ? name : `${names}\x1f${name}`,
    kinds: shapes + bareIn(bare),
    count: count + 1,
    bare,
    fields: shape.fields + 1,
  }
}

function withBare(shape: FieldShape, name: string): FieldShape {
  const member = `${JSON.stringify(name)}:null`
  const bare = shape.bare === '' ? member : `${shape.bare},${member}`
  const kinds = withoutBare(shape.kinds) + bareIn(bare)
  return { ...shape, ...{ kinds, bare, fields: shape.fields + 1 }, next: empty().next }
}

const bareIn = (bare: string) => (bare === '' ? '' : `\n{${bare}}`)
const withoutBare = (kinds: string) => kinds.split('\n', 1)[0] ?? ''
