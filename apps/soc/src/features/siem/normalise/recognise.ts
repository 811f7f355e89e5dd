import { isHeader } from './before-mark.ts'
import { CATALOGUE } from './catalogue/catalogue.ts'
import type { LogFormat, ObjectFormat, TextFormat } from './catalogue/log-format.ts'
import type { Fields, JsonMap } from './fields.ts'
import type { Parsed, TextContext } from './parsed.ts'
import { createMarks } from './scan/marks.ts'
import { parseSyslog } from './syslog-header.ts'

/** What was found, and which format of the catalogue it is; none where only a header was read. */
export type Recognised = { parsed: Parsed; format: LogFormat | undefined }

// Nobody writes longer lines of these kinds, and a hostile one must not keep us busy.
export const LONGEST_READ = 16 * 1024
const LONGEST_START = 64
/** Marks looked at in one line: another format's may stand in what somebody typed. */
const MOST_MARKS = 4

/** An object's format, by the first of the names it needs: the others, and its place. */
type Candidate = { format: ObjectFormat; needed: string[]; order: number }
const NONE: Candidate[] = []

export type Recogniser = ReturnType<typeof createRecogniser>

/** Finds the format of an event without asking every format there is. */
export function createRecogniser(formats: readonly LogFormat[]) {
  const texts = formats.filter((format) => format.kind === 'text')
  const objects = formats.filter((format) => format.kind === 'object')
  const byProgram = grouped(texts, ({ when }) => when.programs ?? [])
  const byStart = grouped(texts, ({ when }) => (when.starts ?? []).map((start) => start[0] ?? ''))
  const byMark = grouped(texts, ({ when }) => when.marks ?? [])
  // One pass finds any of them: asking for each in turn would cost a pass for every format there is.
  const marks = createMarks(byMark.keys())
  const others = texts.filter(({ when }) => !when.programs && !when.starts && !when.marks)
  const longs = texts.filter(({ when }) => when.longest)
  const byName = new Map<string, Candidate[]>()
  objects.forEach((format, order) => {
    for (const [first = '', ...needed] of format.when.names) {
      byName.set(first, [...(byName.get(first) ?? []), { format, needed, order }])
    }
  })

  function readObject(
    fields: Fields,
    receivedAt: number,
    shaped: () => JsonMap,
    message?: string,
  ): Recognised | undefined {
    const found = fittingIn(fields)
    if (!found) return undefined
    const context = { receivedAt, object: shaped(), message }
    for (const { format } of found.sort((one, other) => one.order - other.order)) {
      const parsed = format.read(fields, context)
      if (parsed) return { parsed, format }
    }
    return undefined
  }

  /** Those whose names are all there; one pass over the event's names, which are few. */
  function fittingIn(fields: Fields) {
    let found: Candidate[] | undefined
    for (const name in fields) {
      for (const candidate of byName.get(name) ?? NONE) {
        // Most events have several names of their one format.
        if (found?.some(({ format }) => format === candidate.format)) continue
        if (!candidate.needed.every((other) => Object.hasOwn(fields, other))) continue
        found ??= []
        found.push(candidate)
      }
    }
    return found
  }

  /** A line of a log file has its header first; the rest is by whoever wrote it. */
  function readText(text: string, context: TextContext): Recognised | undefined {
    const header = parseSyslog(text, context)
    const rest = header?.message ?? text
    const process = header?.process ?? context.process
    const body =
      rest.length > LONGEST_READ
        ? readLong(rest, context)
        : readBody(rest, {
            receivedAt: context.receivedAt,
            process,
            follows: header ? followedIn(header) : context.follows,
            memory: context.memory,
          })
    if (!header || !body) return body ?? (header && { parsed: header, format: undefined })
    return { parsed: joined(header, body), format: body.format }
  }

  /** What is longer than lines are, of the few that may be and begin it. */
  function readLong(text: string, context: TextContext): Recognised | undefined {
    const start = text.slice(0, LONGEST_START)
    const alike = longs.filter(
      ({ when: { longest = 0, begins } }) =>
        text.length <= longest && start.search(begins ?? /^/) === 0,
    )
    return firstOf(alike, text, context)
  }

  /** By program, by beginning, by what stands somewhere in it, and then those that may be anything. */
  function readBody(text: string, context: TextContext): Recognised | undefined {
    const { process } = context
    return (
      (process && firstOf(byProgram.get(process.toLowerCase()), text, context)) ||
      firstStarting(text, context) ||
      firstMarked(text, context) ||
      firstOf(others, text, context)
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

  function firstStarting(text: string, context: TextContext): Recognised | undefined {
    const alike = byStart.get(text[0] ?? '')
    if (!alike) return undefined
    for (const format of alike) {
      const isAlike = format.when.starts?.some((start) => text.startsWith(start))
      const parsed = isAlike ? format.read(text, context) : undefined
      if (parsed) return { parsed, format }
    }
    return undefined
  }

  function firstMarked(text: string, context: TextContext): Recognised | undefined {
    let from = 0
    for (let count = 0; count < MOST_MARKS; count += 1) {
      const at = marks.indexIn(text, from)
      const mark = at < 0 ? undefined : marks.markAt(text, at)
      if (mark === undefined) return undefined
      // One may begin inside another: `: %` and `%ASA-`.
      from = at + 1
      for (const format of byMark.get(mark) ?? []) {
        const parsed = isMeant(format, text, context) ? format.read(text, context) : undefined
        if (parsed) return { parsed, format }
      }
    }
    return undefined
  }

  return { readObject, readText }
}

/** Not where the mark stands in what somebody typed. */
function isMeant({ when }: TextFormat, text: string, { follows }: TextContext): boolean {
  const at = when.begins ? text.search(when.begins) : 0
  return at <= 0 || isHeader(text.slice(0, at), follows)
}

function followedIn({ process, host, at }: Parsed): TextContext['follows'] {
  if (process !== undefined) return 'program'
  return host === undefined && at !== undefined ? 'time' : undefined
}

export const RECOGNISER: Recogniser = createRecogniser(CATALOGUE)

function grouped<Format>(formats: Format[], keysOf: (format: Format) => string[]) {
  const groups = new Map<string, Format[]>()
  for (const format of formats) {
    for (const key of new Set(keysOf(format))) {
      groups.set(key, [...(groups.get(key) ?? []), format])
    }
  }
  return groups
}

/** What the header says goes first, unless the format knows better; the source is the format's. */
function joined(header: Parsed, { parsed: body, format }: Recognised): Parsed {
  const [first, second] = format?.overrules ? [body, header] : [header, body]
  return {
    source: body.source ?? header.source,
    at: first.at ?? second.at,
    machine: first.machine ?? second.machine,
    host: first.host ?? second.host,
    severity: first.severity ?? second.severity,
    message: first.message ?? second.message,
    user: first.user ?? second.user,
    process: first.process ?? second.process,
    event_code: first.event_code ?? second.event_code,
    src_ip: first.src_ip ?? second.src_ip,
    dst_ip: first.dst_ip ?? second.dst_ip,
    fields: isEmpty(header.fields) ? body.fields : { ...body.fields, ...header.fields },
  }
}

function isEmpty(fields: Fields): boolean {
  for (const _ in fields) return false
  return true
}
