import { addressOf } from '../../addresses.ts'
import { type ParseText, textOf } from '../../parsed.ts'
import { keptFields, numberIn } from '../../scan/kept-fields.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

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
    machine: textOf(fields.devHostName) ?? textOf(fields.identHostName),
    severity: severityOf(fields.sev, 'cef'),
    user: textOf(fields.usrName),
    event_code: textOf(eventId),
    src_ip: addressOf(fields.src),
    dst_ip: addressOf(fields.dst),
    fields: {
      ...fields,
      ...keptFields({
        'source.port': numberIn(fields.srcPort),
        'destination.port': numberIn(fields.dstPort),
        'network.transport': fields.proto?.toLowerCase(),
        'event.action': fields.action ?? fields.cat,
        'url.original': fields.url,
        'source.bytes': numberIn(fields.srcBytes),
        'destination.bytes': numberIn(fields.dstBytes),
      }),
    },
  }
}

/** A character, or its code as `x09` or `0x09`. */
function delimiterOf(given: string): string {
  const [, hex] = /^0?x([0-9a-f]{1,4})$/i.exec(given) ?? []
  return hex ? String.fromCharCode(Number.parseInt(hex, 16)) : given || '\t'
}

export const leef: TextFormat = {
  id: 'generic.leef',
  title: 'IBM Log Event Extended Format (LEEF)',
  group: 'generic',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'security_finding', activity: 'create' },
  overrules: true,
  when: { marks: ['LEEF:'], begins: LEEF },
  read: parseLeef,
  samples: [
    {
      event:
        '<13>Mar  3 10:00:00 gate1 LEEF:2.0|Acme|Gate|1.0|login_failed|^|devTime=2026-03-03T10:00:00Z^src=192.0.2.7^dst=198.51.100.2^usrName=eve^sev=7',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'gate1',
        severity: 'high',
        user: 'eve',
        event_code: 'login_failed',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
      },
    },
  ],
}
