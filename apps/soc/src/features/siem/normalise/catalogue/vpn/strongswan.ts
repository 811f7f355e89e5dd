import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { counted } from '../../scan/traffic.ts'
import { bare, firstWord, within, wordAfter } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

const HEAD = /^(\d{1,3})\[([A-Z]{2,4})\] (?:<([^>|]{1,64})\|(\d{1,10})> )?/

/** charon: `08[IKE] <site-b|11> IKE_SA site-b[11] established between 198.51.100.2[gw]...203.0.113.9[mona]`. */
const read: ParseText = (text) => {
  const [head, , subsystem, connection] = HEAD.exec(text) ?? []
  if (head === undefined) return undefined
  const body = text.slice(head.length)
  const [local, remote] = sidesOf(body)
  const isFailed = /fail|AUTHENTICATION_FAILED|no matching|NO_PROPOSAL|invalid|no IKE config/i.test(
    body,
  )
  const isDone = /established|successful/.test(body)
  return {
    source: 'strongswan',
    severity: isFailed ? 'medium' : undefined,
    user: userOf(body),
    src_ip: remote?.ip,
    dst_ip: local?.ip,
    fields: counted({
      'source.port': remote?.port,
      'destination.port': local?.port,
      'strongswan.subsystem': subsystem,
      'strongswan.connection': connection,
      'client.nat.ip': addressOf(wordAfter(body, 'assigning virtual IP ')),
      'network.bytes': /\((\d{1,10}) bytes\)/.exec(body)?.[1],
      'event.action': actionOf(body),
      'event.outcome': isFailed ? 'failure' : isDone ? 'success' : undefined,
    }),
  }
}

/** Who is asked and who asks: `received packet: from …[500] to …[500]`, `between A[…]...B[…]`. */
function sidesOf(body: string) {
  const between = within(body, 'between ', '...')
  if (between) {
    const far = firstWord(body.slice(body.indexOf('...') + 3))
    return [named(between), named(far)]
  }
  const from = ported(wordAfter(body, ' from '))
  const to = ported(wordAfter(body, ' to '))
  if (body.startsWith('sending packet')) return [from, to]
  if (from?.ip) return [to, from]
  const first = addressOf(firstWord(body))
  return [undefined, first && body.includes(' initiating ') ? { ip: first } : undefined]
}

/** `198.51.100.2[gw.example.net]`: in brackets stands who it says it is. */
const named = (text: string) => ({ ip: addressOf(text.split('[', 1)[0]), port: undefined })

/** `198.51.100.2[500]` */
const ported = (text: string | undefined) =>
  text
    ? endpointOf(text.includes('[') ? `${text.replace('[', '(').replace(']', '')})` : text)
    : undefined

function userOf(body: string): string | undefined {
  const said = within(body, "authentication of '", "'") ?? within(body, "to peer '", "'")
  if (said) return said
  if (body.startsWith('EAP method') || body.includes(' failed for peer '))
    return wordAfter(body, ' peer ')
  const last = body.includes('...') ? body.slice(body.indexOf('...')) : ''
  const name = within(last, '[', ']')
  return name && !addressOf(name) ? bare(name) : undefined
}

function actionOf(body: string): string | undefined {
  if (body.startsWith('received packet') || body.startsWith('sending packet')) return 'packet'
  if (body.includes('authentication of') || body.includes('EAP method')) return 'login'
  if (body.includes(' established')) return 'established'
  return body.startsWith('deleting ') ? 'deleted' : undefined
}

export const strongswan: TextFormat = {
  id: 'vpn.strongswan',
  title: 'strongSwan (charon)',
  group: 'vpn',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'tunnel_activity', activity: { established: 'open', deleted: 'close' } },
  when: { programs: ['charon', 'charon-systemd', 'ipsec', 'strongswan', 'charon-nm'] },
  read,
  samples: [
    {
      event:
        '<30>Mar  3 10:00:00 vpn1 charon[4711]: 08[IKE] <site-b|11> IKE_SA site-b[11] established between 198.51.100.2[vpn.example.net]...203.0.113.20[mona]',
      expect: {
        source: 'strongswan',
        host: 'vpn1',
        process: 'charon',
        user: 'mona',
        src_ip: '203.0.113.20',
        dst_ip: '198.51.100.2',
        fields: { 'strongswan.connection': 'site-b', 'event.outcome': 'success' },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 vpn1 charon: 14[NET] <site-b|11> received packet: from 203.0.113.20[500] to 198.51.100.2[500] (464 bytes)',
      expect: {
        src_ip: '203.0.113.20',
        dst_ip: '198.51.100.2',
        fields: { 'source.port': 500, 'network.bytes': 464 },
      },
    },
    {
      event:
        '<30>Mar  3 10:00:00 vpn1 charon: 09[IKE] <rw|12> EAP method EAP_MSCHAPV2 failed for peer eve',
      expect: { user: 'eve', fields: { 'event.action': 'login', 'event.outcome': 'failure' } },
    },
  ],
}
