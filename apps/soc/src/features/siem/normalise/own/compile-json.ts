import type { ParserDefinition } from '@manara/soc-contract/parsers'
import { type Fields, rebuild } from '../fields.ts'
import { objectIn } from '../object-in.ts'
import type { Found, ReadEvent } from './found.ts'

type Json = Extract<ParserDefinition, { kind: 'json' }>

const STEP = /\.([^.[\]]+)|\[(\d{1,6})\]|\[(?:'([^']*)'|"([^"]*)")\]/y

/** Values at places of a JSON text, or of the event itself where its message is none. */
export function compileJson({ from, paths }: Json): ReadEvent {
  const steps = Object.entries(paths).map(([field, path]) => [field, readPath(path)] as const)
  return ({ message, fields, original }) => {
    const text = from === undefined ? message : fields[from]
    const inText = typeof text === 'string' ? objectIn(text) : undefined
    const root = inText ?? (from === undefined ? rebuild({ fields, original }) : undefined)
    if (!root) return undefined
    const found: Found = {}
    for (const [field, path] of steps) {
      const value = storable(valueAt(root, path))
      if (value !== undefined) found[field] = value
    }
    return Object.keys(found).length > 0 ? found : undefined
  }
}

function readPath(path: string): (string | number)[] {
  const text = path.startsWith('$') ? path.slice(1) : `.${path}`
  const steps: (string | number)[] = []
  STEP.lastIndex = 0
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex
    const found = STEP.exec(text)
    if (!found)
      throw new Error(`paths: ${path} is no path: see the character ${text.slice(at, at + 1)}`)
    const [, name, index, single, double] = found
    steps.push(index === undefined ? (name ?? single ?? double ?? '') : Number(index))
  }
  if (steps.length === 0) throw new Error(`paths: ${path} names nothing`)
  return steps
}

function valueAt(root: unknown, path: (string | number)[]): unknown {
  let at = root
  for (const step of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return undefined
    at = (at as Record<string | number, unknown>)[step]
  }
  return at
}

function storable(value: unknown): Fields[string] | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (Array.isArray(value) && value.every((one) => typeof one !== 'object'))
    return value.slice(0, 100)
  return typeof value === 'object' ? JSON.stringify(value) : (value as string | number | boolean)
}
