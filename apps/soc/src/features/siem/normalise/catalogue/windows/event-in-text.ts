import type { Fields, JsonMap } from '../../fields.ts'
import { elementAt } from '../../scan/xml.ts'

/** Scripts are logged in pieces of 20,000 letters, some of which XML writes as five. */
export const LONGEST = 128 * 1024

/** Where forwarders keep the event as Windows wrote it, also beside names of their own. */
export const XML_PLACES = ['event.original', 'System', 'EventXML', 'event_xml', 'xml']

/** The event in a text that has it as XML. */
export function eventInXml(text: string): JsonMap | undefined {
  const from = text.indexOf('<Event')
  const element = from === -1 ? undefined : elementAt(text, from)
  const isEvent = element?.name === 'Event' && typeof element.value === 'object'
  return isEvent ? (element.value as JsonMap) : undefined
}

export function eventInText(fields: Fields): JsonMap | undefined {
  for (const place of XML_PLACES) {
    const text = fields[place]
    if (typeof text !== 'string' || text.length > LONGEST || !text.startsWith('<Event')) continue
    const event = eventInXml(text)
    if (event) return event
  }
  return undefined
}
