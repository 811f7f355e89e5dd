import type { Fields, JsonMap } from '../../fields.ts'
import { textOf } from '../../parsed.ts'
import { CLEARED } from './cleared-log.ts'

/** The event itself, also where Chainsaw has put what it thinks of it around it. */
export function eventIn(object: JsonMap): JsonMap | undefined {
  const event = mapOf(object.Event)
  if (event) return event
  if (mapOf(object.System)) return object
  return mapOf(mapOf(mapOf(object.document)?.data)?.Event)
}

const SEPARATE = '_attributes'

/**
 * XML turned into JSON: each tool writes attributes and text under marks of its own, some put
 * attributes beside the element (`Provider_attributes`), and some make every element a list.
 */
export function readXml(event: JsonMap, added: Fields) {
  const system = mapOf(event.System) ?? {}
  for (const [key, value] of Object.entries(system)) {
    const name = key.endsWith(SEPARATE) ? key.slice(0, -SEPARATE.length) : key
    const text = contentOf(value)
    if (text !== undefined) added[name] = text
    for (const [attribute, of] of Object.entries(attributesOf(value))) {
      if (name === 'TimeCreated') added[attribute] = of
      else added[`${name}_${attribute}`] = of
    }
  }
  readData(event.EventData, added)
  readUserData(event.UserData, added)
  const message = contentOf(mapOf(event.RenderingInfo)?.Message)
  if (message !== undefined) added.Message ??= message
}

export function readUserData(userData: unknown, added: Fields) {
  for (const [kind, data] of Object.entries(mapOf(userData) ?? {})) {
    const cleared = kind === 'LogFileCleared' ? contentOf(mapOf(data)?.Channel) : undefined
    if (cleared !== undefined) added[CLEARED] = cleared
    readData(data, added)
  }
}

export function readData(data: unknown, added: Fields) {
  const map = mapOf(data)
  if (!map) return
  for (const [name, value] of Object.entries(map)) {
    if (name === 'Data') readList(listOf(value), added)
    else if (!/^[#@$]/.test(name)) {
      const text = contentOf(value)
      if (text !== undefined) added[name] ??= text
    }
  }
}

/** Several without names are one text with a list in it, as evtx_dump has it. */
function listOf(value: unknown): unknown[] {
  const texts = mapOf(value)?.['#text']
  return Array.isArray(texts) ? texts : [value].flat()
}

function readList(list: unknown[], added: Fields) {
  const unnamed: (string | number | boolean)[] = []
  for (const element of list) {
    const name = nameOf(element)
    const text = contentOf(element)
    if (name) added[name] ??= text ?? ''
    else if (text !== undefined) unnamed.push(text)
    // Datadog's agent has the names there.
    else readData(element, added)
  }
  if (unnamed.length > 0) added.Data ??= unnamed.length === 1 ? (unnamed[0] as string) : unnamed
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

function contentOf(element: unknown): string | number | boolean | undefined {
  const value = only(element)
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
    return value
  }
  const map = mapOf(value)
  const inner = map && CONTENT.map((name) => map[name]).find((text) => text !== undefined)
  return typeof inner === 'object' || inner === null ? undefined : (inner as string | undefined)
}

/** The element of a list of one, as xml2js makes of everything. */
const only = (value: unknown): unknown =>
  Array.isArray(value) && value.length === 1 ? value[0] : value

export function mapOf(value: unknown): JsonMap | undefined {
  const map = only(value)
  const isMap = typeof map === 'object' && map !== null && !Array.isArray(map)
  return isMap ? (map as JsonMap) : undefined
}
