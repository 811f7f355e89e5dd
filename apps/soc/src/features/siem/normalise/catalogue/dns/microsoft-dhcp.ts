import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { separated } from '../../scan/separated.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const FAILED = new Set(['13', '14', '15', '31', '33', '34', '35', '36'])

/** The audit log of Microsoft's DHCP server: number, date, time, what, address, name, MAC, user, …. */
const read: ParseText = (text, { receivedAt }) => {
  const [id = '', date = '', time = '', what = '', ip, name, mac = '', user] = separated(text)
  const [, month, day, year] = /^(\d\d)\/(\d\d)\/(\d\d)$/.exec(date) ?? []
  if (!/^\d{2,5}$/.test(id) || !year || !/^\d\d:\d\d:\d\d$/.test(time)) return undefined
  // Of an update of the name server the address is written backwards.
  const address = /^3[0-9]$/.test(id) ? undefined : addressOf(ip)
  return {
    source: 'microsoft_dhcp',
    at: momentOf(`20${year}-${month}-${day} ${time}`, receivedAt),
    event_code: id,
    user: user || undefined,
    src_ip: address,
    fields: counted({
      'client.ip': address,
      'client.domain': name,
      'client.mac': /^[0-9A-F]{12}$/i.test(mac) ? mac.match(/../g)?.join(':').toLowerCase() : mac,
      'event.action': what.toLowerCase().replaceAll(' ', '_'),
      'event.outcome': FAILED.has(id) ? 'failure' : 'success',
      'network.protocol': 'dhcp',
    }),
  }
}

export const microsoftDhcp: TextFormat = {
  id: 'dns.microsoft_dhcp',
  title: 'Microsoft DHCP server (audit log)',
  group: 'dns',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'dhcp_activity',
    activity: { assign: 'assign', renew: 'renew', release: 'release' },
  },
  when: {
    marks: [
      ',Assign,',
      ',Renew,',
      ',Release,',
      ',NACK,',
      ',Denied,',
      ',Deleted,',
      ',Expired,',
      ',DNS Update ',
      ',DHCP Decline,',
      ',BAD_ADDRESS,',
      ',Rogue ',
      ',Started,',
      ',Stopped,',
    ],
  },
  read,
  samples: [
    {
      event:
        '10,03/03/26,10:00:00,Assign,192.0.2.40,laptop7.example.net,00005E005301,,4711,0,,,,0x4D53,MSFT 5.0,,,,0',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'microsoft_dhcp',
        event_code: '10',
        src_ip: '192.0.2.40',
        fields: {
          'client.mac': '00:00:5e:00:53:01',
          'client.domain': 'laptop7.example.net',
          'event.action': 'assign',
          'event.outcome': 'success',
        },
      },
    },
  ],
}
