import { type FieldValue, type Location, type LogRecord, TEXT_FIELDS } from './event.ts'
import { fold } from './fold.ts'

/** The text of one value, of several, or null when there is none. */
export type Texts = string | string[] | null

/** One event with what was folded of it so far, so that many queries share the work. */
export type EventView = {
  readonly log: LogRecord
  foldedFields: Map<string, Texts> | undefined
  allTexts: string[] | undefined
  allFolded: string[] | undefined
  /** Of tests that are slow and the same in many queries. */
  verdicts: Map<string, boolean> | undefined
}

export function viewOf(log: LogRecord): EventView {
  return {
    log,
    foldedFields: undefined,
    allTexts: undefined,
    allFolded: undefined,
    verdicts: undefined,
  }
}

export type TextLocation = Exclude<Location, { kind: 'timestamp' }>

export function textsAt({ log }: EventView, location: TextLocation): Texts {
  if (location.kind === 'column') return log[location.column]
  return textsOf(log.fields[location.name])
}

export function foldedAt(view: EventView, location: TextLocation): Texts {
  view.foldedFields ??= new Map()
  const known = view.foldedFields.get(location.key)
  if (known !== undefined) return known
  const texts = textsAt(view, location)
  const folded = texts === null ? null : typeof texts === 'string' ? fold(texts) : texts.map(fold)
  view.foldedFields.set(location.key, folded)
  return folded
}

/** Whatever else sits on an object's prototype is no value either. */
function textsOf(value: FieldValue | undefined): Texts {
  if (typeof value === 'string') return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (!Array.isArray(value)) return null
  const texts: string[] = []
  for (const element of value) if (element !== null) texts.push(String(element))
  return texts
}

/** Everything that free text looks at, in one text with NUL between; the message, often there twice, once. */
export function joinedTexts({ log }: EventView): string {
  const { message } = log
  let joined = message
  for (const name of TEXT_FIELDS) {
    const text = log[name]
    if (text !== null && text !== message) joined += `\0${text}`
  }
  for (const name in log.fields) {
    const found = textsOf(log.fields[name])
    if (typeof found === 'string') joined += found === message ? '' : `\0${found}`
    else if (found) for (const text of found) if (text !== message) joined += `\0${text}`
  }
  return joined
}

/** Whether it holds for some text that free text looks at. */
export function someText({ log }: EventView, holds: (text: string) => boolean): boolean {
  for (const name of TEXT_FIELDS) {
    const text = log[name]
    if (text !== null && holds(text)) return true
  }
  for (const name in log.fields) {
    const found = textsOf(log.fields[name])
    if (typeof found === 'string' ? holds(found) : found?.some(holds)) return true
  }
  return false
}

/** Everything that free text looks at. */
export function allTexts(view: EventView): string[] {
  if (view.allTexts) return view.allTexts
  const { log } = view
  const texts: string[] = []
  for (const name of TEXT_FIELDS) {
    const text = log[name]
    if (text !== null) texts.push(text)
  }
  for (const name in log.fields) {
    const found = textsOf(log.fields[name])
    if (typeof found === 'string') texts.push(found)
    else if (found) texts.push(...found)
  }
  view.allTexts = texts
  return texts
}

export function allFolded(view: EventView): string[] {
  view.allFolded ??= allTexts(view).map(fold)
  return view.allFolded
}

export function remembered(
  view: EventView,
  key: string,
  test: (view: EventView) => boolean,
): boolean {
  view.verdicts ??= new Map()
  const known = view.verdicts.get(key)
  if (known !== undefined) return known
  const verdict = test(view)
  view.verdicts.set(key, verdict)
  return verdict
}
