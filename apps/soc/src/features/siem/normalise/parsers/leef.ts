import { addressOf } from '../addresses.ts'
import { type ParseText, textOf } from '../parsed.ts'
import { severityOf } from '../severity.ts'
import { momentOf } from '../timestamps.ts'

const LEEF = /\bLEEF:(\d(?:\.\d)?)\|([^|]*)\|([^|]*)\|([^|]*)\|([^|]*)\|/

const MOST_PAIRS = 500

/** `LEEF:2.0|vendor|product|version|event id|delimiter|pairs`; version 1 has tabs and no delimiter. */
export const parseLeef: ParseText = (text, { receivedAt }) => {
  const match = text.includes('LEEF:') ? LEEF.exec(text) : null
  if (!match) return undefined
  const [
    head,
    version = '',
    deviceVendor = '',
    deviceProduct = '',
    deviceVersion = '',
    eventId = '',
  ] = match
  let rest = text.slice(match.index + head.length)
  let delimiter = '\t'
  const [named, given = ''] = (version.startsWith('2') && /^([^|]{0,6})\|/.exec(rest)) || []
  if (named !== undefined) {
    rest = rest.slice(named.length)
    delimiter = delimiterOf(given)
  }
  const pairs = rest.split(delimiter, MOST_PAIRS).flatMap((pair) => {
    const equals = pair.indexOf('=')
    return equals > 0 ? [[pair.slice(0, equals).trim(), pair.slice(equals + 1)] as const] : []
  })
  const fields = {
    deviceVendor,
    deviceProduct,
    deviceVersion,
    eventId,
    ...Object.fromEntries(pairs),
  } as Record<string, string>
  return {
    source: 'leef',
    at: momentOf(fields.devTime, receivedAt),
    severity: severityOf(fields.sev, 'cef'),
    user: textOf(fields.usrName),
    event_code: textOf(eventId),
    src_ip: addressOf(fields.src),
    dst_ip: addressOf(fields.dst),
    fields,
  }
}

/** A character, or its code as `x09` or `0x09`. */
function delimiterOf(given: string): string {
  const [, hex] = /^0?x([0-9a-f]{1,4})$/i.exec(given) ?? []
  return hex ? String.fromCharCode(Number.parseInt(hex, 16)) : given || '\t'
}
