import { addressOf } from '../../addresses.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { endpointOf } from '../../scan/endpoint.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted, endFields, natFields, renamed, transportOf } from '../../scan/traffic.ts'
import { firstWord, following, within, wordAfter } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

const NAMES: Record<string, string> = {
  'source-port': 'source.port',
  'destination-port': 'destination.port',
  'source-zone-name': 'observer.ingress.zone',
  'destination-zone-name': 'observer.egress.zone',
  'packet-incoming-interface': 'observer.ingress.interface.name',
  'interface-name': 'observer.ingress.interface.name',
  'policy-name': 'rule.name',
  'rule-name': 'rule.name',
  'attack-name': 'threat.name',
  'threat-severity': 'event.severity',
  'bytes-from-client': 'source.bytes',
  'bytes-from-server': 'destination.bytes',
  'packets-from-client': 'source.packets',
  'packets-from-server': 'destination.packets',
  application: 'network.application',
  'service-name': 'network.protocol',
  'session-id-32': 'network.session.id',
  'session-id': 'network.session.id',
  reason: 'event.reason',
  url: 'url.original',
  obj: 'url.path',
  'file-name': 'file.name',
  command: 'process.command_line',
}

const EVENT = /^(?:[A-Z][A-Z0-9]{1,15}_[A-Z0-9_]{2,60})$/

/** Junos: structured as `[junos@2636.… name="value" …]`, or as a sentence after the event's name. */
const read: ParseText = (text, { process }) => {
  const structured = text.indexOf('[junos@')
  if (structured >= 0) return readStructured(text, structured)
  if (process === 'kmd' && text.includes('Remote: ')) return readTunnel(text)
  const colon = text.indexOf(': ')
  const name = colon > 0 ? text.slice(0, colon) : ''
  return EVENT.test(name) ? readSentence(name, text.slice(colon + 2)) : undefined
}

function readStructured(text: string, open: number): Parsed {
  const pairs = pairsIn(text.slice(open), { between: ' ]' })
  const src_ip = addressOf(pairs['source-address'] || pairs['remote-address'])
  const dst_ip = addressOf(pairs['destination-address'] || pairs['local-address'])
  const event = text.slice(0, open).trim()
  const action = actionOf(event, pairs.action)
  return {
    source: 'juniper_srx',
    event_code: EVENT.test(event) ? event : undefined,
    user: userOf(pairs.username),
    src_ip,
    dst_ip,
    fields: counted({
      ...renamed(pairs, NAMES),
      'event.action': action,
      'event.outcome': outcomeOf(event, action),
      'network.transport': transportOf(pairs['protocol-id'] || pairs['protocol-name']),
      ...natFields(
        'source',
        { ip: src_ip, port: pairs['source-port'] },
        { ip: pairs['nat-source-address'], port: pairs['nat-source-port'] },
      ),
      ...natFields(
        'destination',
        { ip: dst_ip, port: pairs['destination-port'] },
        { ip: pairs['nat-destination-address'], port: pairs['nat-destination-port'] },
      ),
    }),
  }
}

/** `session closed TCP FIN: 192.0.2.21/50123->203.0.113.80/443 junos-https 198.51.100.9/31000->…` */
function readSentence(event: string, text: string): Parsed {
  const arrow = text.indexOf('->')
  const before = arrow < 0 ? '' : text.slice(0, arrow)
  const source = endpointOf(before.slice(before.lastIndexOf(' ') + 1))
  const destination = endpointOf(arrow < 0 ? undefined : firstWord(text.slice(arrow + 2)))
  const again = text.indexOf('->', arrow + 2)
  const natBefore = again > 0 && arrow >= 0 ? text.slice(arrow + 2, again) : ''
  const nat = endpointOf(natBefore.slice(natBefore.lastIndexOf(' ') + 1))
  const action = actionOf(event, undefined)
  return {
    source: 'juniper_srx',
    event_code: event,
    user: userOf(
      within(text, "User '", "'") ?? wordAfter(text, 'for user ') ?? within(text, "user '", "'"),
    ),
    src_ip: source.ip ?? addressOf(within(text, "from host '", "'") ?? wordAfter(text, ' from ')),
    dst_ip: destination.ip,
    fields: counted({
      ...endFields(source, destination),
      ...natFields('source', source, nat),
      'event.action': action,
      'event.outcome': outcomeOf(event, action),
      'event.reason': text.startsWith('session closed ')
        ? following(text, 'session closed ', ':')
        : undefined,
      'process.command_line': within(text, "command '", "'"),
    }),
  }
}

/** `IKE negotiation failed with error: Timed out. …, Local: 198.51.100.2/500, Remote: 203.0.113.9/500, …` */
function readTunnel(text: string): Parsed {
  const source = endpointOf(following(text, 'Remote: ', ','))
  const destination = endpointOf(following(text, 'Local: ', ','))
  return {
    source: 'juniper_srx',
    src_ip: source.ip,
    dst_ip: destination.ip,
    fields: counted({
      ...endFields(source, destination),
      'event.action': 'ike_negotiation',
      'event.outcome': text.includes(' failed ') ? 'failure' : 'success',
      'event.reason': within(text, 'with error: ', '. '),
    }),
  }
}

const userOf = (name: string | undefined) => (name === 'N/A' ? undefined : name || undefined)

function actionOf(event: string, said: string | undefined): string | undefined {
  if (said) return said.toLowerCase()
  if (event.endsWith('SESSION_CREATE')) return 'session_create'
  if (event.endsWith('SESSION_CLOSE')) return 'session_close'
  return event.endsWith('_DENY') ? 'deny' : undefined
}

function outcomeOf(event: string, action: string | undefined): string | undefined {
  if (action?.startsWith('session_') || action === 'permit' || action === 'permitted')
    return 'success'
  if (/^(?:deny|drop|block|close|reject)/.test(action ?? '')) return 'failure'
  if (/(?:FAIL|FAILED|FAILURE|ERROR|ATTACK)/.test(event)) return 'failure'
  return /(?:AUTHENTICATED|ESTABLISHED|LOGIN_EVENT|ACCEPTED)/.test(event) ? 'success' : undefined
}

export const juniperSrx: TextFormat = {
  id: 'firewall.juniper_srx',
  title: 'Juniper SRX (Junos)',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { session_create: 'open', session_close: 'close', deny: 'refuse' },
  },
  when: {
    programs: ['rt_flow', 'rt_ids', 'rt_idp', 'rt_utm', 'rt_aamw', 'rt_secintel', 'kmd'],
    marks: ['[junos@'],
    starts: ['RT_FLOW_', 'RT_SCREEN_', 'IDP_', 'UI_', 'SSHD_LOGIN_', 'LOGIN_', 'AV_', 'WEBFILTER_'],
  },
  read,
  samples: [
    {
      event:
        '<14>1 2026-03-03T10:00:00.123Z srx1 RT_FLOW - RT_FLOW_SESSION_CLOSE [junos@2636.1.1.1.2.129 reason="TCP FIN" source-address="192.0.2.21" source-port="50123" destination-address="203.0.113.80" destination-port="443" service-name="junos-https" nat-source-address="198.51.100.9" nat-source-port="31000" nat-destination-address="203.0.113.80" nat-destination-port="443" protocol-id="6" policy-name="out web" source-zone-name="trust" destination-zone-name="untrust" session-id-32="4711" packets-from-client="10" bytes-from-client="1320" packets-from-server="12" bytes-from-server="4000" username="mona"]',
      expect: {
        at: '2026-03-03T10:00:00.123Z',
        source: 'juniper_srx',
        host: 'srx1',
        user: 'mona',
        event_code: 'RT_FLOW_SESSION_CLOSE',
        src_ip: '192.0.2.21',
        dst_ip: '203.0.113.80',
        fields: {
          'source.port': 50123,
          'source.nat.ip': '198.51.100.9',
          'destination.port': 443,
          'network.transport': 'tcp',
          'event.action': 'session_close',
          'event.outcome': 'success',
          'rule.name': 'out web',
          'source.bytes': 1320,
        },
      },
    },
    {
      event:
        '<14>Mar  3 10:00:00 srx1 RT_FLOW: RT_FLOW_SESSION_DENY: session denied 203.0.113.9/41000->192.0.2.80/23 junos-telnet 6(0) deny-all untrust trust UNKNOWN UNKNOWN N/A(N/A) ge-0/0/0.0 UNKNOWN policy deny',
      expect: {
        host: 'srx1',
        event_code: 'RT_FLOW_SESSION_DENY',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: { 'destination.port': 23, 'event.action': 'deny', 'event.outcome': 'failure' },
      },
    },
    {
      event:
        "<37>Mar  3 10:00:00 srx1 sshd: SSHD_LOGIN_FAILED: Login failed for user 'eve' from host '203.0.113.9'",
      expect: { user: 'eve', src_ip: '203.0.113.9', fields: { 'event.outcome': 'failure' } },
    },
    {
      event:
        '<27>1 2026-03-03T10:00:00.984Z srx1 kmd 9159 - - IKE negotiation failed with error: Timed out. IKE Version: 1, VPN: site-b Gateway: gw-b, Local: 198.51.100.2/500, Remote: 203.0.113.9/500, Local IKE-ID: Not-Available, Role: Initiator',
      expect: {
        src_ip: '203.0.113.9',
        dst_ip: '198.51.100.2',
        fields: { 'event.outcome': 'failure', 'event.reason': 'Timed out' },
      },
    },
  ],
}
