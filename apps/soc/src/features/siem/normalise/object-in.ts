import { parseExactly } from './exact-json.ts'
import { isTooDeep, type JsonMap } from './fields.ts'

/** Text that is one JSON object, with the mark that some syslog senders put before it. */
export function objectIn(text: string): JsonMap | undefined {
  const json = text.startsWith('@cee:') ? text.slice(5).trim() : text.trim()
  if (json[0] !== '{' || !json.endsWith('}') || isTooDeep(json)) return undefined
  try {
    return parseExactly(json) as JsonMap
  } catch {
    return undefined
  }
}
