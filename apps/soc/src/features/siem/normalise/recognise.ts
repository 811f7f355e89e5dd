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
const BY_NAME = grouped(OBJECTS, ({ when }) => when.names.map(([first = '']) => first))
const ORDER = new Map(OBJECTS.map((format, index) => [format, index]))

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
  for (const format of objectFormatsOf(fields)) {
    const parsed = format.read(fields, context)
    if (parsed) return { parsed, format }
  }
  return undefined
}

/** Those whose names are all there, in the order of the catalogue. */
function objectFormatsOf(fields: Fields): ObjectFormat[] {
  const fitting: ObjectFormat[] = []
  for (const name in fields) {
    for (const format of BY_NAME.get(name) ?? []) {
      const isNew = !fitting.includes(format)
      if (isNew && format.when.names.some((names) => hasAll(fields, names))) fitting.push(format)
    }
  }
  if (fitting.length > 1) fitting.sort((a, b) => (ORDER.get(a) ?? 0) - (ORDER.get(b) ?? 0))
  return fitting
}

const hasAll = (fields: Fields, names: string[]) =>
  names.every((name) => Object.hasOwn(fields, name))

/** A line of a log file has its header first; the rest is by whoever wrote it. */
export function readText(text: string, context: TextContext): Recognised | undefined {
  const header = parseSyslog(text, context)
  const rest = header?.message ?? text
  const process = header?.process ?? context.process
  const body = rest.length > LONGEST_READ ? undefined : readBody(rest, { ...context, process })
  if (!header || !body) return body ?? (header && { parsed: header, format: undefined })
  return { parsed: joined(header, body), format: body.format }
}

function readBody(text: string, context: TextContext): Recognised | undefined {
  for (const format of textFormatsOf(text, context.process)) {
    const parsed = format.read(text, context)
    if (parsed) return { parsed, format }
  }
  return undefined
}

/** By program, by beginning, by what stands somewhere in it, and then those that may be anything. */
function* textFormatsOf(text: string, process: string | undefined): Iterable<TextFormat> {
  if (process) yield* BY_PROGRAM.get(process.toLowerCase()) ?? []
  const starting = BY_START.get(text[0] ?? '')
  for (const format of starting ?? []) {
    if (format.when.starts?.some((start) => text.startsWith(start))) yield format
  }
  MARKS.lastIndex = 0
  for (let count = 0; count < MOST_MARKS; count += 1) {
    const [mark] = MARKS.exec(text) ?? []
    if (mark === undefined) break
    const next = MARKS.lastIndex
    yield* BY_MARK.get(mark) ?? []
    MARKS.lastIndex = next
  }
  yield* ELSE
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
