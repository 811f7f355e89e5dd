import type { FieldValue } from '@manara/log-query/event'
import type { Fields } from '../../fields.ts'
import { objectIn } from '../../object-in.ts'
import { elementAt } from '../../scan/xml.ts'
import { mapOf, readData, readUserData } from './converted-xml.ts'

/** What stands before the names of an event's data: of winlogbeat, Sentinel, OpenTelemetry, NXLog, Graylog, GELF. */
const BEFORE =
  /^(?:(?:winlog\.(?:event|user)_data|(?:body\.)?event_data(?:\.data)?|EventData|UserData\.[^.]+|NXLOG@14506)\.|(?:winlogbeat_)?(?:winlog_)?(?:event|user)_data_|_(?=[A-Z]))/
/** Wazuh begins every name with a small letter. */
const WAZUH = /^(?:data\.)?win\.\w+\./

/** `winlog.event_data.CommandLine` is also `CommandLine`. Whether there was any such data. */
export function liftData(fields: Fields, added: Fields): boolean {
  const isGelf = Object.hasOwn(fields, '_EventID')
  const isWazuh =
    Object.hasOwn(fields, 'win.system.eventID') || Object.hasOwn(fields, 'data.win.system.eventID')
  if (isWazuh) return liftWazuh(fields, added)
  let isLifted = false
  for (const name in fields) {
    const [prefix] = BEFORE.exec(name) ?? []
    if (prefix === undefined || (prefix === '_' && !isGelf)) continue
    added[name.slice(prefix.length)] ??= fields[name] ?? null
    isLifted = true
  }
  const payload = fields.Payload ?? fields['columns.data']
  return liftText(fields.EventData, added) || liftPayload(payload, added) || isLifted
}

/** EvtxECmd and osquery have the data as JSON in a text: `{"EventData":{"Data":[{"@Name":…,"#text":…}]}}`. */
function liftPayload(text: FieldValue | undefined, added: Fields): boolean {
  if (typeof text !== 'string' || !PAYLOAD.test(text)) return false
  const { EventData, UserData } = objectIn(text) ?? {}
  readData(EventData, added)
  readUserData(UserData, added)
  return true
}

const PAYLOAD = /^\{"(?:Event|User)Data":/

/** Sentinel's tables have the data as JSON or as XML in a text. */
function liftText(text: FieldValue | undefined, added: Fields): boolean {
  if (typeof text !== 'string') return false
  const object = text[0] === '<' ? mapOf(elementAt(text, 0)?.value) : objectIn(text)
  if (!object) return false
  readUserData(object.UserData, added)
  readData(mapOf(object.EventData) ?? object, added)
  return true
}

function liftWazuh(fields: Fields, added: Fields): boolean {
  const texts: string[] = []
  const found: Fields = {}
  for (const name in fields) {
    const [prefix] = WAZUH.exec(name) ?? []
    const first = prefix && name[prefix.length]
    if (!first) continue
    const value = fields[name] ?? null
    found[first.toUpperCase() + name.slice(prefix.length + 1)] ??= value
    const isText = typeof value === 'string' && !prefix.endsWith('system.')
    if (isText && value.includes('\\')) texts.push(value)
  }
  const isEscaped = areEscaped(texts)
  for (const name in found) {
    const value = found[name] ?? null
    added[name] ??= isEscaped && typeof value === 'string' ? unescaped(value) : value
  }
  return true
}

const ESCAPES = /\\([\\"rnt])/g
const ESCAPED: Record<string, string> = { r: '\r', n: '\n', t: '\t' }

/** Its agents double every backslash: where one stands alone, they have not. */
const areEscaped = (texts: string[]) =>
  texts.some((text) => text.includes('\\\\')) &&
  texts.every((text) => !text.replace(ESCAPES, '').includes('\\'))

const unescaped = (text: string) =>
  text.replace(ESCAPES, (_, letter: string) => ESCAPED[letter] ?? letter)
