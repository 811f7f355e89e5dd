import { type Fields, isTooDeep, type JsonMap } from './fields.ts'
import type { Parsed, ParseObject, ParseText } from './parsed.ts'
import { parseAccessLog } from './parsers/access-log.ts'
import { parseAuth } from './parsers/auth.ts'
import { parseCef } from './parsers/cef.ts'
import { parseKeyValue } from './parsers/key-value.ts'
import { parseLeef } from './parsers/leef.ts'
import { parseSuricata } from './parsers/suricata.ts'
import { parseSyslog } from './parsers/syslog.ts'
import { parseWindows } from './parsers/windows.ts'
import { parseZeek } from './parsers/zeek.ts'

const OF_OBJECTS: ParseObject[] = [parseSuricata, parseZeek, parseWindows]
// From the most to the least particular.
const OF_TEXT: ParseText[] = [parseCef, parseLeef, parseAuth, parseAccessLog, parseKeyValue]

// Nobody writes longer lines of these kinds, and a hostile one must not keep us busy.
export const LONGEST_READ = 16 * 1024

export function readObject(
  fields: Fields,
  context: { receivedAt: number; object: JsonMap },
): Parsed | undefined {
  return firstOf(OF_OBJECTS, (parse) => parse(fields, context))
}

/** A line of a log file has its header first; the rest is by whoever wrote it. */
export function readText(
  text: string,
  context: { receivedAt: number; process?: string | undefined },
): Parsed | undefined {
  const header = parseSyslog(text, context)
  const rest = header?.message ?? text
  const process = header?.process ?? context.process
  const body =
    rest.length > LONGEST_READ
      ? undefined
      : firstOf(OF_TEXT, (parse) => parse(rest, { ...context, process }))
  if (!header || !body) return header ?? body
  const merged: Parsed = { ...header, fields: { ...body.fields, ...header.fields } }
  for (const [name, value] of Object.entries(body)) {
    const key = name as keyof Omit<Parsed, 'fields'>
    if (name !== 'fields' && (merged[key] === undefined || key === 'source')) {
      merged[key] = (value ?? merged[key]) as never
    }
  }
  return merged
}

function firstOf<Parse>(parsers: Parse[], run: (parse: Parse) => Parsed | undefined) {
  for (const parse of parsers) {
    const parsed = run(parse)
    if (parsed) return parsed
  }
  return undefined
}

/** Text that is one JSON object, with the mark that some syslog senders put before it. */
export function objectIn(text: string): JsonMap | undefined {
  const json = text.startsWith('@cee:') ? text.slice(5).trim() : text.trim()
  if (json[0] !== '{' || !json.endsWith('}') || isTooDeep(json)) return undefined
  try {
    return JSON.parse(json) as JsonMap
  } catch {
    return undefined
  }
}
