import type { Playbook, PlaybookParameter } from '@manara/soc-contract/playbooks'

type Declared = Playbook['parameters']
/** What stands in each field, as text; a choice not made is empty. */
export type Typed = Record<string, string>

/** The fields as they are at first: with what counts where nothing else is said. */
export const firstTyped = (declared: Declared): Typed =>
  Object.fromEntries(
    Object.entries(declared).map(([name, { default: value }]) => [name, String(value ?? '')]),
  )

/** Why a field cannot be sent so; nothing when it can. */
export function faultOf(
  { type, required }: PlaybookParameter,
  text: string,
): 'missing' | 'number' | undefined {
  if (text.trim() === '') return required ? 'missing' : undefined
  return type === 'number' && !Number.isFinite(Number(text)) ? 'number' : undefined
}

/** What is sent. A text that was emptied is sent empty, since left out its default would count. */
export function valuesOf(declared: Declared, typed: Typed): Record<string, unknown> {
  const values: Record<string, unknown> = {}
  for (const [name, parameter] of Object.entries(declared)) {
    const text = typed[name] ?? ''
    const isEmpty = text.trim() === ''
    if (!isEmpty) values[name] = typedAs(parameter, text)
    else if (parameter.type === 'string' && parameter.default !== null) values[name] = ''
  }
  return values
}

function typedAs({ type }: PlaybookParameter, text: string) {
  if (type === 'number') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}
