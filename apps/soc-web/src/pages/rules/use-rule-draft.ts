import { type Signal, signal, useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks'
import { unsent } from '../../here.ts'
import {
  type Draft,
  isChanged,
  merged,
  NAMES,
  type Unsaved,
  type Values,
  valuesOf,
} from './draft.ts'

export type Fields = { [Name in keyof Values]: Signal<Values[Name]> }
export type RuleDraft = ReturnType<typeof useRuleDraft>

/** What stands in the fields: kept while somebody looks elsewhere, and when somebody else saves. */
export function useRuleDraft(rule: Draft, mayWrite: boolean) {
  const draftName = `rule ${rule.id ?? `new ${rule.query}`}`
  const kept = useMemo(() => unsent.draft<Unsaved>(draftName), [])
  const fields = useMemo(() => fieldsOf(kept?.typed ?? valuesOf(rule)), [])
  /** What was typed began with this. */
  const base = useSignal(kept?.base ?? rule)
  const theirs = useSignal<[name: string, value: unknown][]>([])
  const typed = () => Object.fromEntries(NAMES.map((name) => [name, fields[name].value])) as Values

  function fillIn(values: Values) {
    for (const name of NAMES) put(fields, name, values)
  }
  /** The rule as it is by now, without losing anything that was typed. */
  function takeOver(now: Draft) {
    const { values, both } = merged(valuesOf(base.value), typed(), valuesOf(now))
    base.value = now
    theirs.value = both.map((field) => [field, valuesOf(now)[field]])
    fillIn(values)
  }
  useEffect(() => {
    if (rule.version !== base.value.version) takeOver(rule)
  }, [rule.version])
  const now: Unsaved = { base: base.value, typed: typed() }
  const isUnsaved = mayWrite && isChanged(now)
  useLayoutEffect(() => unsent.keepDraft(draftName, isUnsaved ? now : undefined))

  return {
    fields,
    /** What both have changed, as somebody else has it. */
    theirs,
    isFromBefore: kept !== undefined && isUnsaved,
    typed,
    takeOver,
    /** Which version was changed here. */
    version: () => base.value.version,
    saved(rule: Draft | undefined) {
      theirs.value = []
      base.value = { ...base.value, ...rule }
    },
    discard() {
      theirs.value = []
      fillIn(valuesOf(base.value))
    },
    forget: () => unsent.keepDraft(draftName, undefined),
  }
}

const fieldsOf = (values: Values) =>
  Object.fromEntries(NAMES.map((name) => [name, signal(values[name])])) as unknown as Fields

function put<Name extends keyof Values>(fields: Fields, name: Name, values: Values) {
  fields[name].value = values[name]
}
