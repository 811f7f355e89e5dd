import type { FieldValue } from '@manara/log-query/event'
import type { ReparseExample } from '@manara/soc-contract/reparse'
import { isParserMark } from '../../normalise/fields.ts'
import type { NormalisedLog } from '../../normalise/normalise.ts'
import { FILLABLE, SENT } from '../../normalise/parser-marks.ts'

type Change = ReparseExample['changes'][number]

const LONGEST_SHOWN = 500

/** What is different, by the names people know; notes on who said what are not. */
export function compareReadings(before: NormalisedLog, after: NormalisedLog): Change[] {
  const changes: Change[] = []
  const note = (field: string, was: FieldValue, is: FieldValue) => {
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      changes.push({ field, before: shown(was), after: shown(is) })
    }
  }
  for (const name of FILLABLE) {
    if (name === 'at') note('timestamp', isoOf(before.at), isoOf(after.at))
    else note(name, before[name], after[name])
  }
  for (const name of new Set([...Object.keys(before.fields), ...Object.keys(after.fields)])) {
    if (isParserMark(name) || name.startsWith(SENT)) continue
    note(name, before.fields[name] ?? null, after.fields[name] ?? null)
  }
  return changes
}

const isoOf = (at: number) => new Date(at).toISOString()

const shown = (value: FieldValue): FieldValue =>
  typeof value === 'string' ? value.slice(0, LONGEST_SHOWN).toWellFormed() : value
