import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted, natFields, renamed, transportOf, verdictOf } from '../../scan/traffic.ts'
import { within } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const NAMES: Record<string, string> = {
  action: 'event.action',
  s_port: 'source.port',
  service: 'destination.port',
  service_id: 'network.application',
  ifname: 'observer.ingress.interface.name',
  inzone: 'observer.ingress.zone',
  outzone: 'observer.egress.zone',
  rule_name: 'rule.name',
  rule_uid: 'rule.uuid',
  rule: 'rule.id',
  layer_name: 'rule.ruleset',
  protection_name: 'threat.name',
  malware_action: 'threat.name',
  resource: 'url.original',
  dst_domain_name: 'url.domain',
  web_client_type: 'user_agent.name',
  file_name: 'file.name',
  file_sha256: 'file.hash.sha256',
  file_md5: 'file.hash.md5',
  sent_bytes: 'source.bytes',
  received_bytes: 'destination.bytes',
  reason: 'event.reason',
  tcp_packet_out_of_state: 'event.reason',
  from: 'email.from.address',
  to: 'email.to.address',
  email_subject: 'email.subject',
}

const BY_SEMICOLON = { between: '; ', equals: ':' }
const BY_BAR = { between: '|', equals: '=' }

/** Check Point's log exporter: `[action:"Drop"; src:"…"; …]`, or pairs with bars between them. */
const read: ParseText = (text, { receivedAt }) => {
  const pairs = pairsOf(text)
  const { product, action, loguid, ifdir, orig, origin } = pairs
  if (!(loguid || ifdir) || !(product || action || origin || orig)) return undefined
  const packet = firstPacket(pairs.packets)
  const src_ip = addressOf(pairs.src || packet.src || pairs.client_ip)
  const dst_ip = addressOf(pairs.dst || packet.dst)
  return {
    source: 'checkpoint',
    at: momentOf(pairs.time, receivedAt),
    host: pairs.hostname || orig || origin || undefined,
    severity: severityOf(pairs.severity),
    user: userOf(pairs.src_user_name || pairs.user) ?? (pairs.administrator || undefined),
    event_code: pairs.logid && pairs.logid !== '0' ? pairs.logid : (action ?? product),
    src_ip,
    dst_ip,
    fields: counted({
      ...renamed(pairs, NAMES),
      'network.direction': ifdir,
      'source.port': pairs.s_port || packet.sport,
      'destination.port': pairs.service || packet.dport,
      'network.transport': transportOf(pairs.proto || packet.proto),
      ...verdictOf(action),
      ...loginOf(pairs),
      ...natFields(
        'source',
        { ip: src_ip, port: pairs.s_port },
        { ip: pairs.xlatesrc, port: pairs.xlatesport },
      ),
      ...natFields(
        'destination',
        { ip: dst_ip, port: pairs.service },
        { ip: pairs.xlatedst, port: pairs.xlatedport },
      ),
    }),
  }
}

function pairsOf(text: string) {
  const open = text.indexOf(':"')
  if (open > 0 && open < 80) return pairsIn(text.replaceAll('::"', ':"'), BY_SEMICOLON)
  return text.includes('|i/f_dir=') ? leaPairs(text) : pairsIn(text, BY_BAR)
}

/** OPSEC LEA as text, with names of its own: `loc=71|time=…|i/f_dir=inbound|has_accounting=0|…`. */
function leaPairs(text: string): Readonly<Record<string, string>> {
  const { 'i/f_dir': ifdir = '', 'i/f_name': ifname = '', ...pairs } = pairsIn(text, BY_BAR)
  return { ...pairs, ifdir, ifname, time: pairs.time ?? '' }
}

/** Drops that are told together: ` <source,port,destination,port,protocol;interface> <…>`. */
function firstPacket(packets: string | undefined) {
  const [src, sport, dst, dport, proto] = (within(packets ?? '', '<', '>') ?? '').split(/[,;]/, 5)
  return { src, sport, dst, dport, proto }
}

/** `Mona Lisa (mona)` is mona. */
function userOf(name: string | undefined): string | undefined {
  if (!name) return undefined
  const open = name.endsWith(')') ? name.lastIndexOf('(') : -1
  return open < 0 ? name : name.slice(open + 1, -1)
}

/** Of administrators the operation says what was done, and a status whether it worked. */
function loginOf(pairs: Readonly<Record<string, string>>) {
  const { action = '', operation = '' } = pairs
  const isLogin = /^log ?(?:in|out)/i.test(operation || action)
  const said = pairs.auth_status ?? pairs.audit_status ?? pairs.status ?? ''
  const isFailed = /^fail/i.test(said) || /^failed/i.test(action)
  const isDone = isLogin || /^succ/i.test(said) || /^(?:authorize|authcrypt)/i.test(action)
  if (!isFailed && !isDone) return {}
  return {
    ...(isLogin ? { 'event.action': (operation || action).toLowerCase().replaceAll(' ', '') } : {}),
    'event.outcome': isFailed ? 'failure' : 'success',
  }
}

export const checkpoint: TextFormat = {
  id: 'firewall.checkpoint',
  title: 'Check Point (log exporter)',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { Accept: 'open', Drop: 'refuse', Reject: 'refuse' },
  },
  overrules: true,
  when: {
    programs: ['checkpoint'],
    marks: ['; loguid:"', '|loguid=', '; ifdir:"', '|ifdir=', '|i/f_dir='],
    begins: /\[?[\w/.-]+(?:::?"|=)/,
  },
  read,
  samples: [
    {
      event:
        '<134>1 2026-03-03T10:00:00Z gw1 CheckPoint 1930 - [action:"Drop"; flags:"425984"; ifdir:"inbound"; ifname:"eth0"; logid:"1"; loguid:"{0x5e818e17,0x0,0x6401a8c0,0x108620ab}"; origin:"192.0.2.1"; sequencenum:"1"; version:"5"; __policy_id_tag:"product=VPN-1 & FireWall-1[db_tag={1A2B};mgmt=gw1;date=1772532000;policy_name=Standard\\]"; dst:"198.51.100.2"; product:"VPN-1 & FireWall-1"; proto:"6"; s_port:"41000"; service:"22"; src:"203.0.113.9"; rule_name:"Clean; up"; xlatesrc:"192.0.2.200"; xlatesport:"20001"]',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'checkpoint',
        host: 'gw1',
        src_ip: '203.0.113.9',
        dst_ip: '198.51.100.2',
        fields: {
          'source.port': 41000,
          'destination.port': 22,
          'source.nat.ip': '192.0.2.200',
          'network.transport': 'tcp',
          'event.action': 'Drop',
          'event.outcome': 'failure',
          'rule.name': 'Clean; up',
        },
      },
    },
    {
      event:
        'time=1772532000|hostname=gw1|severity=Medium|product=SmartDefense|action=Prevent|ifdir=inbound|loguid={0x5e8}|origin=192.0.2.1|src=203.0.113.9|s_port=41000|dst=192.0.2.80|service=80|proto=6|protection_name=Example Worm|user=Mona Lisa (mona)',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'medium',
        user: 'mona',
        src_ip: '203.0.113.9',
        fields: { 'threat.name': 'Example Worm', 'event.type': 'denied' },
      },
    },
    {
      event:
        'loc=4711|time=2026-03-03 10:00:00|action=drop|orig=gw1|i/f_dir=inbound|i/f_name=eth0|has_accounting=0|uuid=<00000000,00000000>|product=VPN-1 & FireWall-1|rule=7|rule_name=Cleanup|src=203.0.113.9|s_port=41000|dst=192.0.2.80|service=22|proto=tcp',
      expect: {
        source: 'checkpoint',
        host: 'gw1',
        event_code: 'drop',
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: {
          'destination.port': 22,
          'network.transport': 'tcp',
          'network.direction': 'inbound',
          'rule.name': 'Cleanup',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        '<134>1 2026-03-03T10:00:00Z cpm1 CheckPoint 10547 - [action:"Accept"; flags:"163872"; ifdir:"outbound"; loguid:"{0x658bf0ed,0x0}"; origin:"192.0.2.1"; time:"1772532000"; version:"5"; additional_info:"Administrator failed to log in: Wrong Password"; administrator:"eve@example.net"; audit_status:"Failure"; client_ip:"203.0.113.9"; operation:"Log In"; product:"SmartConsole"; subject:"Administrator Login"]',
      expect: {
        user: 'eve@example.net',
        src_ip: '203.0.113.9',
        fields: { 'event.action': 'login', 'event.outcome': 'failure' },
      },
    },
    {
      event:
        '<134>1 2026-03-03T10:00:00Z gw1 CheckPoint 16953 - [action:"Drop"; ifdir:"inbound"; loguid:"{0x5e818e17,0x1}"; origin:"192.0.2.1"; version:"5"; rule_name:"Cleanup rule"; packet_amount:"2"; packets:" <203.0.113.9,45000,192.0.2.80,443,6;eth0> <203.0.113.9,45001,192.0.2.80,80,6;eth0>"]',
      expect: {
        src_ip: '203.0.113.9',
        dst_ip: '192.0.2.80',
        fields: { 'source.port': 45000, 'destination.port': 443, 'network.transport': 'tcp' },
      },
    },
  ],
}
