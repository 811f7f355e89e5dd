import type { Query } from '@manara/log-query/ast'
import { parseQuery } from '@manara/log-query/parse'
import { describeQueryError } from '@manara/log-query/query-error'
import { parse } from 'yaml'
import type { Mapping } from './mappings.ts'
import { asText, asTexts, isMap } from './plain-data.ts'
import { SigmaError } from './sigma-error.ts'

const KEYS = ['product', 'category', 'service', 'condition', 'fields', 'note']

/** What an import is told beside its rules. */
export type ImportSettings = {
  /** Looked at before the built-in ones. */
  mappings: Mapping[]
  /** Values of `%name%` in items with the modifier expand. */
  placeholders: Record<string, string[]>
}

/** A file of this name among the rules is about how to read them. */
export const isSettingsFile = (name: string): boolean =>
  /(?:^|[\\/])sigma-mappings\.ya?ml$/.test(name)

/** Its YAML, with conditions in the query language. */
export const readSettings = ({
  name,
  content,
}: {
  name: string
  content: string
}): ImportSettings => {
  try {
    return settingsOf(parseYaml(content))
  } catch (error) {
    if (!(error instanceof SigmaError)) throw error
    throw new SigmaError(`${name}: ${error.message}`)
  }
}

const settingsOf = (settings: unknown): ImportSettings => {
  if (!isMap(settings)) throw new SigmaError('it is a map of mappings and placeholders')
  const { mappings = [], placeholders = {}, ...more } = settings
  const [unknown] = Object.keys(more)
  if (unknown !== undefined) throw new SigmaError(`${unknown} is neither mappings nor placeholders`)
  if (!Array.isArray(mappings)) throw new SigmaError('mappings is a list')
  return {
    mappings: mappings.map((entry, index) => readMapping(entry, index + 1)),
    placeholders: readNames(placeholders, 'placeholders'),
  }
}

const parseYaml = (text: string): unknown => {
  try {
    return parse(text)
  } catch (error) {
    throw new SigmaError(`not YAML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const readMapping = (entry: unknown, number: number): Mapping => {
  if (!isMap(entry)) throw new SigmaError(`mapping ${number} is no map`)
  const unknown = Object.keys(entry).find((key) => !KEYS.includes(key))
  if (unknown) throw new SigmaError(`mapping ${number}: ${unknown} is none of ${KEYS.join(', ')}`)
  const mapping: Mapping = {}
  for (const key of ['product', 'category', 'service'] as const) {
    const value = asText(entry[key])
    if (value) mapping[key] = value.toLowerCase()
  }
  const note = asText(entry.note)
  if (note) mapping.note = note
  if (entry.condition !== undefined)
    mapping.condition = readQuery(asText(entry.condition) ?? '', number)
  if (entry.fields !== undefined)
    mapping.fields = readNames(entry.fields, `mapping ${number}: fields`)
  return mapping
}

const readQuery = (text: string, number: number): Query => {
  const parsed = parseQuery(text, 0)
  if (parsed.ok) return parsed.query
  throw new SigmaError(`mapping ${number}: condition: ${describeQueryError(parsed.error)}`)
}

const readNames = (value: unknown, what: string): Record<string, string[]> => {
  if (!isMap(value)) throw new SigmaError(`${what} is a map of lists`)
  return Object.fromEntries(
    Object.entries(value).map(([name, body]) => {
      const texts = asTexts(body)
      if (texts.length === 0) throw new SigmaError(`${what}: ${name} is empty`)
      return [name, texts]
    }),
  )
}
