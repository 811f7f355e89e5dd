/** As much of JSON Schema as examples are made from. */
export type Schema = {
  $ref?: string
  description?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema | boolean
  minItems?: number
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  pattern?: string
  format?: string
}

export type ExampleSource = {
  schemas: Record<string, Schema>
  /** What a field of that name is likely to hold. */
  samples: Record<string, unknown>
}

const DEEPEST = 8
const FORMATS: Record<string, string> = {
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  uuid: '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  email: 'leila@example.org',
  uri: 'https://example.org/',
  ipv4: '192.0.2.10',
}
const TEXTS = [
  'example',
  '04A1B2C3',
  '123456',
  '1',
  'a',
  'true',
  '0197a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  'ab'.repeat(32),
]

/**
 * A value that fits the schema. Of a body that is sent it has what is required, of one that is
 * answered everything.
 */
export function exampleOf(
  schema: Schema,
  source: ExampleSource,
  use: 'sent' | 'answered',
): unknown {
  return make(schema, '', 0)

  function make(given: Schema, name: string, depth: number): unknown {
    const schema = resolve(given)
    const [told] = schema.examples ?? []
    if (told !== undefined) return told
    if (schema.const !== undefined) return schema.const
    const sample = source.samples[name]
    if (sample !== undefined && fits(sample, schema)) return sample
    if (schema.enum) return schema.enum[0]
    if (schema.allOf) return Object.assign({}, ...schema.allOf.map((one) => make(one, name, depth)))
    const options = schema.anyOf ?? schema.oneOf
    if (options) return make(options.find((one) => resolve(one).type !== 'null') ?? {}, name, depth)
    if (isFilled(schema.default)) return schema.default
    const type = [schema.type].flat().find((one) => one !== 'null')
    if (type === 'object' || schema.properties) return makeObject(schema, depth)
    if (type === 'array') return makeArray(schema, name, depth)
    if (type === 'string') return makeText(schema)
    if (type === 'integer' || type === 'number') return makeNumber(schema)
    if (type === 'boolean') return false
    return schema.default ?? null
  }

  function resolve(schema: Schema): Schema {
    const name = schema.$ref?.split('/').at(-1)
    return name === undefined ? schema : resolve(source.schemas[name] ?? {})
  }

  function makeObject({ properties = {}, required = [] }: Schema, depth: number) {
    if (depth > DEEPEST) return {}
    const all = Object.keys(properties)
    // Of a change that may leave out everything, something.
    const sent =
      required.length > 0 ? all.filter((name) => required.includes(name)) : all.slice(0, 1)
    return Object.fromEntries(
      (use === 'sent' ? sent : all).map((name) => [
        name,
        make(properties[name] ?? {}, name, depth + 1),
      ]),
    )
  }

  function makeArray({ items, minItems = 0 }: Schema, name: string, depth: number) {
    if (depth > DEEPEST || typeof items !== 'object') return []
    const one = make(items, name.replace(/s$/, ''), depth + 1)
    return Array.from({ length: Math.max(minItems, 1) }, () => one)
  }
}

const isFilled = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0)

function fits(value: unknown, schema: Schema): boolean {
  const types = [schema.type, ...(schema.anyOf ?? []).map((one) => one.type)].flat()
  if (schema.enum) return schema.enum.includes(value)
  if (Array.isArray(value)) return types.includes('array')
  if (typeof value === 'string') return types.includes('string') && fitsText(value, schema)
  if (typeof value === 'number')
    return types.some((type) => type === 'integer' || type === 'number')
  return typeof value === 'boolean' ? types.includes('boolean') : types.includes('object')
}

const fitsText = (text: string, { pattern, minLength = 0, maxLength = Infinity }: Schema) =>
  text.length >= minLength &&
  text.length <= maxLength &&
  (pattern === undefined || new RegExp(pattern, 'u').test(text))

function makeText(schema: Schema): string {
  const known = FORMATS[schema.format ?? '']
  if (known !== undefined) return known
  const text = TEXTS.find((one) => fitsText(one, schema)) ?? 'example'
  return text.padEnd(schema.minLength ?? 0, 'x').slice(0, schema.maxLength)
}

const makeNumber = ({ minimum = 0, maximum = Infinity }: Schema) =>
  Math.min(Math.max(1, minimum), maximum)
