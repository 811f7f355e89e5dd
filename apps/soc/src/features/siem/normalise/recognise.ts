import { CATALOGUE } from './catalogue/catalogue.ts'
import type { LogFormat, ObjectFormat, TextFormat } from './catalogue/log-format.ts'
import type { Fields, JsonMap } from './fields.ts'
import type { Parsed, TextContext } from './parsed.ts'
import { parseSyslog } from './syslog-header.ts'

/** What was found, and which format of the catalogue it is; none where only a header was read. */
export type Recognised = { parsed: Parsed; format: LogFormat | undefined }

// Nobody writes longer lines of these kinds, and a hostile one must not keep us busy.
export const LONGEST_READ = 16 * 1024
/** Marks looked at in one line: another format's may stand in what somebody typed. */
const MOST_MARKS = 4

const TEXTS = CATALOGUE.filter((format) => format.kind === 'text')
const OBJECTS = CATALOGUE.filter((format) => format.kind === 'object')
const BY_PROGRAM = grouped(TEXTS, ({ when }) => when.programs ?? [])
const BY_START = grouped(TEXTS, ({ when }) => (when.starts ?? []).map((start) => start[0] ?? ''))
const BY_MARK = grouped(TEXTS, ({ when }) => when.marks ?? [])
// One pass finds any of them: asking for each in turn would cost a pass for every format there is.
const MARKS = new RegExp([...BY_MARK.keys()].map(literal).join('|'), 'g')
const ELSE = TEXTS.filter(({ when }) => !when.programs && !when.starts && !when.marks)
/** By the first of the names they need: the others, and their place in the catalogue. */
const BY_NAME = new Map<string, { format: ObjectFormat; others: string[]; order: number }[]>()
OBJECTS.forEach((format, order) => {
  for (const [first = '', ...others] of format.when.names) {
    BY_NAME.set(first, [...(BY_NAME.get(first) ?? []), { format, others, order }])
  }
})

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function grouped<Format>(formats: Format[], keysOf: (format: Format) => string[]) {
  const groups = new Map<string, Format[]>()
  for (const format of formats) {
    for (const key of new Set(keysOf(format))) {
      groups.set(key, [...(groups.get(key) ?? []), format])
    }
  }
  return groups
}

export function readObject(
  fields: Fields,
  context: { receivedAt: number; object: JsonMap },
): Recognised | undefined {
  const found = fittingIn(fields)
  if (!found) return undefined
  for (const { format } of found.sort((one, other) => one.order - other.order)) {
    const parsed = format.read(fields, context)
    if (parsed) return { parsed, format }
  }
  return undefined
}

/** Those whose names are all there; one pass over the event's names, which are few. */
function fittingIn(fields: Fields) {
  let found: { format: ObjectFormat; order: number }[] | undefined
  for (const name in fields) {
    for (const candidate of BY_NAME.get(name) ?? NONE) {
      if (!candidate.others.every((other) => Object.hasOwn(fields, other))) continue
      found ??= []
      if (!found.some(({ format }) => format === candidate.format)) found.push(candidate)
    }
  }
  return found
}

const NONE: { format: ObjectFormat; others: string[]; order: number }[] = []

/** A line of a log file has its header first; the rest is by whoever wrote it. */
export function readText(text: string, context: TextContext): Recognised | undefined {
  const header = parseSyslog(text, context)
  const rest = header?.message ?? text
  const process = header?.process ?? context.process
  const body = rest.length > LONGEST_READ ? undefined : readBody(rest, { ...context, process })
  if (!header || !body) return body ?? (header && { parsed: header, format: undefined })
  return { parsed: joined(header, body), format: body.format }
}

/** By program, by beginning, by what stands somewhere in it, and then those that may be anything. */
function readBody(text: string, context: TextContext): Recognised | undefined {
  const { process } = context
  return (
    (process && firstOf(BY_PROGRAM.get(process.toLowerCase()), text, context)) ||
    firstOf(startingLike(text), text, context) ||
    firstMarked(text, context) ||
    firstOf(ELSE, text, context)
  )
}

function firstOf(
  formats: TextFormat[] | undefined,
  text: string,
  context: TextContext,
): Recognised | undefined {
  if (!formats) return undefined
  for (const format of formats) {
    const parsed = format.read(text, context)
    if (parsed) return { parsed, format }
  }
  return undefined
}

function startingLike(text: string): TextFormat[] | undefined {
  const alike = BY_START.get(text[0] ?? '')
  return alike?.filter(({ when }) => when.starts?.some((start) => text.startsWith(start)))
}

function firstMarked(text: string, context: TextContext): Recognised | undefined {
  let from = 0
  for (let count = 0; count < MOST_MARKS; count += 1) {
    MARKS.lastIndex = from
    const mark = MARKS.exec(text)
    if (!mark) return undefined
    from = MARKS.lastIndex
    const read = firstOf(BY_MARK.get(mark[0]), text, context)
    if (read) return read
  }
  return undefined
}

/** What the header says goes first, unless the format knows better; the source is the format's. */
function joined(header: Parsed, { parsed: body, format }: Recognised): Parsed {
  const [first, second] = format?.overrules ? [body, header] : [header, body]
  const both: Parsed = { ...first, fields: { ...body.fields, ...header.fields } }
  for (const [name, value] of Object.entries(second)) {
    const key = name as keyof Omit<Parsed, 'fields'>
    if (name !== 'fields' && both[key] === undefined) both[key] = value as never
  }
  both.source = body.source ?? header.source
  return both
}
