import type { ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { counted } from '../../scan/traffic.ts'
import { within, wordAfter } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

const LINE = /^(?:\[ *\d+\.\d+\] )?wireguard: ([\w.-]{1,32}): /

/** The kernel's words about WireGuard: `wireguard: wg0: Handshake for peer 3 (203.0.113.9:51820) did not …`. */
const read: ParseText = (text) => {
  const [head, network] = LINE.exec(text) ?? []
  if (head === undefined) return undefined
  const body = text.slice(head.length)
  const peer = endpointOf(within(body, '(', ')') ?? wordAfter(body, ' from '))
  const isFailed = /did not complete|Invalid|giving up|Dropping|No peer/i.test(body)
  const isDone = /^Keypair \d+ created/.test(body)
  return {
    source: 'wireguard',
    severity: isFailed ? 'low' : undefined,
    process: 'wireguard',
    src_ip: peer.ip,
    fields: counted({
      'source.port': peer.ip ? peer.port : undefined,
      'wireguard.peer': wordAfter(body, 'peer '),
      'observer.ingress.interface.name': network,
      'event.action': /handshake/i.test(body) ? 'handshake' : isDone ? 'session' : undefined,
      'event.outcome': isFailed ? 'failure' : isDone ? 'success' : undefined,
    }),
  }
}

export const wireguard: TextFormat = {
  id: 'vpn.wireguard',
  title: 'WireGuard (kernel)',
  group: 'vpn',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'tunnel_activity', activity: { handshake: 'open', session: 'open' } },
  overrules: true,
  when: { marks: ['wireguard: '] },
  read,
  samples: [
    {
      event:
        '<6>Mar  3 10:00:00 vpn1 kernel: [12345.678901] wireguard: wg0: Handshake for peer 3 (203.0.113.9:51820) did not complete after 5 seconds, retrying (try 2)',
      expect: {
        source: 'wireguard',
        host: 'vpn1',
        src_ip: '203.0.113.9',
        fields: {
          'source.port': 51820,
          'wireguard.peer': '3',
          'event.outcome': 'failure',
          'observer.ingress.interface.name': 'wg0',
        },
      },
    },
    {
      event:
        '<6>Mar  3 10:00:00 vpn1 kernel: wireguard: wg0: Receiving handshake initiation from peer 3 (203.0.113.20:51820)',
      expect: { src_ip: '203.0.113.20', fields: { 'event.action': 'handshake' } },
    },
  ],
}
