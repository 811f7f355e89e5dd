import { COMMON_FIELDS, type LogRecord, type Scalar } from './event.ts'
import { fold } from './fold.ts'

/**
 * How the fields of an event stand in ClickHouse beside the common columns: three lists of the same
 * length, a list's elements each under the name of their field.
 */
export type TextColumns = {
  field_names: string[]
  field_texts: string[]
  /** `text`, `number` or `boolean`: what each text was. */
  field_kinds: string[]
  /** The folded texts in the same order, only where ClickHouse could not fold them by itself. */
  folded_texts: string[]
  /** The folded COMMON_FIELDS, likewise. */
  folded_columns: string[]
}

export function encodeTexts(log: LogRecord): TextColumns {
  const field_names: string[] = []
  const field_texts: string[] = []
  const field_kinds: string[] = []
  for (const name in log.fields) {
    for (const value of [log.fields[name] ?? null].flat()) {
      if (value === null) continue
      field_names.push(name)
      field_texts.push(String(value))
      field_kinds.push(kindOf(value))
    }
  }
  const columns = COMMON_FIELDS.map((name) => log[name] ?? '')
  const isPlain = field_texts.every(foldsPlainly) && columns.every(foldsPlainly)
  return {
    field_names,
    field_texts,
    field_kinds,
    folded_texts: isPlain ? [] : field_texts.map(fold),
    folded_columns: isPlain ? [] : columns.map(fold),
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII is what is meant.
const IS_ASCII = /^[\x00-\x7f]*$/

/** Whether it is enough to lower A to Z, İ and the sign of Kelvin. */
function foldsPlainly(text: string): boolean {
  if (IS_ASCII.test(text)) return true
  const plain = text
    .replaceAll('\u0130', 'i')
    .replaceAll('\u212a', 'k')
    .replace(/[A-Z]/g, (letter) => letter.toLowerCase())
  return fold(text) === plain
}

function kindOf(value: Scalar): string {
  return typeof value === 'string' ? 'text' : typeof value
}
