import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { bare, within, wordAfter } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

const KIND = /^DHCP([A-Z]{3,12}) (?:on|for|of|from|to) /

/** ISC's server: `DHCPACK on 192.0.2.40 to 00:00:5e:00:53:01 (laptop7) via eth0`. */
const read: ParseText = (text) => {
  const [, kind] = KIND.exec(text) ?? []
  if (!kind) return undefined
  const address = addressOf(
    wordAfter(text, ' on ') ?? wordAfter(text, ' for ') ?? wordAfter(text, ' of '),
  )
  const mac = wordAfter(text, ' to ') ?? wordAfter(text, ' from ')
  const name = within(text, `${mac} (`, ')')
  return {
    source: 'dhcpd',
    event_code: `DHCP${kind}`,
    src_ip: address,
    fields: counted({
      'client.ip': address,
      'client.mac': mac?.includes(':') ? mac : undefined,
      'client.domain': name && bare(name),
      'observer.ingress.interface.name': wordAfter(text, ' via '),
      'event.action': `dhcp_${kind.toLowerCase()}`,
      'event.outcome': kind === 'ACK' ? 'success' : kind === 'NAK' ? 'failure' : undefined,
      'network.protocol': 'dhcp',
    }),
  }
}

export const dhcpd: TextFormat = {
  id: 'dns.dhcpd',
  title: 'ISC DHCP server',
  group: 'dns',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'dhcp_activity',
    activity: { dhcp_ack: 'ack', dhcp_request: 'request', dhcp_offer: 'offer' },
  },
  when: { programs: ['dhcpd', 'dhclient'], starts: ['DHCP'] },
  read,
  samples: [
    {
      event:
        '<190>Mar  3 10:00:00 gw1 dhcpd[4711]: DHCPACK on 192.0.2.40 to 00:00:5e:00:53:01 (laptop7) via eth0',
      expect: {
        source: 'dhcpd',
        event_code: 'DHCPACK',
        src_ip: '192.0.2.40',
        fields: {
          'client.mac': '00:00:5e:00:53:01',
          'client.domain': 'laptop7',
          'observer.ingress.interface.name': 'eth0',
        },
      },
    },
    {
      event:
        '<190>Mar  3 10:00:00 gw1 dhcpd[4711]: DHCPREQUEST for 192.0.2.40 (192.0.2.1) from 00:00:5e:00:53:01 (laptop7) via eth0',
      expect: { src_ip: '192.0.2.40', fields: { 'client.domain': 'laptop7' } },
    },
  ],
}
