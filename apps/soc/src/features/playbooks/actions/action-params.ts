import { invalid } from '@manara/kit/errors'
import { hasTemplate } from '../domain/template.ts'
import type { Action, JsonObject } from './action.ts'

type Issue = { path: PropertyKey[]; message: string; code: string; keys?: string[] }

/** What is wrong with a step's parameters as far as it can be told before its templates are filled. */
export function faultOfParams(action: Action, params: JsonObject) {
  const issues = issuesOf(action, params).filter(({ path }) => !leadsToTemplate(params, path))
  const [first] = issues
  return first ? describe(first) : null
}

/** For the action's own functions, which know what their schema makes of it. */
export function parseParams(action: Action, filled: JsonObject): never {
  const parsed = action.params.safeParse(filled)
  if (parsed.success) return parsed.data as never
  const [first] = parsed.error.issues as Issue[]
  const { at, why } = describe(first as Issue)
  throw invalid(['params', ...at].join('.'), why)
}

const issuesOf = (action: Action, params: JsonObject) =>
  (action.params.safeParse(params).error?.issues ?? []) as Issue[]

function leadsToTemplate(params: JsonObject, path: PropertyKey[]): boolean {
  let value: unknown = params
  for (const name of path) {
    if (typeof value !== 'object' || value === null) break
    value = (value as Record<PropertyKey, unknown>)[name]
  }
  return typeof value === 'string' && hasTemplate(value)
}

function describe({ path, message, code, keys }: Issue): { at: string[]; why: string } {
  const at = path.map(String)
  const [unknown] = keys ?? []
  if (code === 'unrecognized_keys' && unknown !== undefined) {
    return { at: [...at, unknown], why: 'is not a parameter of this action' }
  }
  if (/received undefined$/.test(message)) return { at, why: 'is required' }
  return { at, why: message.replace(/^Invalid (input|option): /, '') }
}
