import type { Parsed, ParseText } from '../../parsed.ts'
import { keptFields } from '../../scan/kept-fields.ts'
import { within, wordAfter } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

// `ath0: STA 00:00:5e:00:53:01 IEEE 802.11: associated`, also of other access points.
const STATION = /^([\w.-]{1,32}): STA ([0-9a-fA-F:]{17}) ([^:]{1,40}): (.{1,200})/
// `U6-Pro,00005e005302,…`, or what the tracker writes.
const BEGIN = /[\w.+-]+,[0-9a-fA-F]{12},|\[STA-TRACKER\]|\{/
const MAC = /^[0-9a-fA-F]{2}(?::[0-9a-fA-F]{2}){5}$/

/** Who joins and leaves the radio of an access point: hostapd, and the tracker of UniFi. */
const read: ParseText = (text) => {
  const { machine, process, body } = withoutNames(text)
  const [, radio, mac, protocol, what] = STATION.exec(body) ?? []
  if (mac) {
    const found = foundOf({ radio, mac, what, protocol })
    // Other access points run the same program.
    return { ...found, source: machine ? 'unifi' : 'hostapd', machine, process }
  }
  const tracked = within(text, '"mac":"', '"')
  if (!tracked || !MAC.test(tracked)) return undefined
  const found = foundOf({
    radio: within(text, '"vap":"', '"'),
    mac: tracked,
    what: within(text, '"message_type":"', '"') ?? wordAfter(text, '"event_type":'),
    reason: within(text, '"event_type":"', '"'),
  })
  return { ...found, machine, process }
}

/** UniFi writes `model,address,version: hostapd: ` where others have a host and a program. */
function withoutNames(text: string) {
  const [names = '', program = '', ...rest] = text.split(': ', 20)
  const [machine, address] = names.split(',', 2)
  if (!address || !/^[0-9a-f]{12}$/i.test(address)) return { body: text }
  return { machine, process: program.split('[', 1)[0], body: rest.join(': ') }
}

type Found = Record<'radio' | 'mac' | 'what', string | undefined> & {
  protocol?: string | undefined
  reason?: string | undefined
}

function foundOf({ radio, mac, what = '', protocol, reason }: Found): Parsed {
  const isFailure = /fail|denied|disallow|reject/i.test(`${what} ${reason ?? ''}`)
  const isDone = /associated|authenticated|completed|accounting session/i.test(what)
  return {
    source: 'unifi',
    event_code: what.split(' ', 2).join(' ') || undefined,
    fields: keptFields({
      'client.mac': mac,
      'source.mac': mac,
      'observer.ingress.interface.name': radio,
      'network.protocol': protocol,
      'event.action': what.toLowerCase(),
      'event.outcome': isFailure ? 'failure' : isDone ? 'success' : undefined,
      'event.reason': reason,
    }),
  }
}

export const unifi: TextFormat = {
  id: 'firewall.unifi',
  title: 'Ubiquiti UniFi access points (hostapd)',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: 'other' },
  overrules: true,
  when: {
    programs: ['hostapd', 'stahtd', 'mcad'],
    marks: [' IEEE 802.11: ', 'STA_ASSOC_TRACKER'],
    begins: BEGIN,
  },
  read,
  samples: [
    {
      event:
        '<30>Mar  3 10:00:00 U6-Pro,00005e005302,U6-Pro-6.5.28+14491: hostapd: ath0: STA 00:00:5e:00:53:01 IEEE 802.11: associated',
      expect: {
        source: 'unifi',
        host: 'U6-Pro',
        process: 'hostapd',
        fields: {
          'client.mac': '00:00:5e:00:53:01',
          'event.action': 'associated',
          'event.outcome': 'success',
        },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 ap1 stahtd[4711]: [STA-TRACKER].stahtd_dump_event(): {"message_type":"STA_ASSOC_TRACKER","mac":"00:00:5e:00:53:01","vap":"ath3","event_type":"soft failure","assoc_status":"0"}',
      expect: {
        host: 'ap1',
        process: 'stahtd',
        fields: { 'client.mac': '00:00:5e:00:53:01', 'event.outcome': 'failure' },
      },
    },
  ],
}
