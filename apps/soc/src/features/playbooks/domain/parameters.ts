import { invalid } from '@manara/kit/errors'
import type { PlaybookParameter } from '@manara/soc-contract/playbooks'

type Parameters = Record<string, PlaybookParameter>

/** What was sent with the defaults filled in; 400 names the parameter. */
export function resolveParameters(declared: Parameters, sent: Record<string, unknown>) {
  const unknown = Object.keys(sent).find((name) => !Object.hasOwn(declared, name))
  if (unknown !== undefined) {
    throw invalid(`parameters.${unknown}`, 'is not a parameter of this playbook')
  }
  const resolved: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(declared)) {
    const value = sent[name] ?? parameter.default
    if (value === null || value === undefined) {
      if (parameter.required) throw invalid(`parameters.${name}`, 'is required')
    } else {
      const why = whyNot(parameter, value)
      if (why) throw invalid(`parameters.${name}`, why)
      resolved[name] = value
    }
  }
  return resolved
}

/** A declaration that no value could fit, or whose default does not. */
export function faultOfParameter(parameter: PlaybookParameter): { at: string; why: string } | null {
  const { type, values, default: fallback } = parameter
  if (type === 'enum' && values === null) return { at: 'values', why: 'is required for an enum' }
  if (type !== 'enum' && values !== null) return { at: 'values', why: 'is only for an enum' }
  const why = fallback === null ? null : whyNot(parameter, fallback)
  return why ? { at: 'default', why } : null
}

function whyNot({ type, values }: PlaybookParameter, value: unknown): string | null {
  if (type === 'enum') {
    const isKnown = typeof value === 'string' && values?.includes(value)
    return isKnown ? null : `must be one of ${values?.join(', ')}`
  }
  return typeof value === type ? null : `must be a ${type}`
}
