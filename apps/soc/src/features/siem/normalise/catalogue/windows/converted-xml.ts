import type { Fields, JsonMap } from '../../fields.ts'
import { textOf } from '../../parsed.ts'

/** XML turned into JSON: each tool writes attributes and text under marks of its own. */
export function readXml(event: JsonMap, added: Fields) {
  const system = mapOf(event.System) ?? {}
  for (const [name, value] of Object.entries(system)) {
    const text = contentOf(value)
    if (text !== undefined) added[name] = text
    for (const [attribute, of] of Object.entries(attributesOf(value))) {
      if (name === 'TimeCreated') added[attribute] = of
      else added[`${name}_${attribute}`] = of
    }
  }
  readData(event.EventData, added)
  for (const data of Object.values(mapOf(event.UserData) ?? {})) readData(data, added)
}

function readData(data: unknown, added: Fields) {
  const map = mapOf(data)
  if (!map) return
  for (const [name, value] of Object.entries(map)) {
    if (name === 'Data' && (Array.isArray(value) || nameOf(value))) readList([value].flat(), added)
    else if (!/^[#@$]/.test(name)) {
      const text = contentOf(value)
      if (text !== undefined) added[name] ??= text
    }
  }
}

function readList(list: unknown[], added: Fields) {
  const unnamed: (string | number | boolean)[] = []
  for (const element of list) {
    const name = nameOf(element)
    const text = contentOf(element)
    if (name) added[name] ??= text ?? ''
    else if (text !== undefined) unnamed.push(text)
  }
  if (unnamed.length > 0) added.Data ??= unnamed
}

const nameOf = (element: unknown) => textOf(attributesOf(element).Name)

function attributesOf(value: unknown): Record<string, string | number | boolean> {
  const map = mapOf(value)
  if (!map) return {}
  const grouped = mapOf(map['#attributes']) ?? mapOf(map['@attributes']) ?? mapOf(map.$) ?? {}
  const named = Object.entries(map)
    .map(([name, of]) => [name.replace(/^@_?/, ''), of] as const)
    .filter(([name]) => /^[A-Za-z]/.test(name))
  return Object.fromEntries(
    [...named, ...Object.entries(grouped)].filter(
      (entry): entry is [string, string | number | boolean] =>
        typeof entry[1] !== 'object' && !CONTENT.includes(entry[0]),
    ),
  )
}

const CONTENT = ['#text', '_', '$t', '$value', 'Value', 'text', 'content']

function contentOf(value: unknown): string | number | boolean | undefined {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  const map = mapOf(value)
  const inner = map && CONTENT.map((name) => map[name]).find((text) => text !== undefined)
  return typeof inner === 'object' || inner === null ? undefined : (inner as string | undefined)
}

export const mapOf = (value: unknown): JsonMap | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as JsonMap)
    : undefined
