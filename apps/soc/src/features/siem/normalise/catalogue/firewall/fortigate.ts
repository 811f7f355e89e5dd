import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted, natFields, renamed, transportOf, verdictOf } from '../../scan/traffic.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const NAMES: Record<string, string> = {
  srcport: 'source.port',
  dstport: 'destination.port',
  remport: 'source.port',
  locport: 'destination.port',
  srcintf: 'observer.ingress.interface.name',
  dstintf: 'observer.egress.interface.name',
  srcname: 'source.domain',
  dstname: 'destination.domain',
  action: 'event.action',
  service: 'network.protocol',
  app: 'network.application',
  policyid: 'rule.id',
  policyname: 'rule.name',
  attack: 'threat.name',
  virus: 'threat.name',
  sentbyte: 'source.bytes',
  rcvdbyte: 'destination.bytes',
  sentpkt: 'source.packets',
  rcvdpkt: 'destination.packets',
  sessionid: 'network.session.id',
  url: 'url.path',
  hostname: 'url.domain',
  qname: 'dns.question.name',
  qtype: 'dns.question.type',
  filename: 'file.name',
  catdesc: 'url.category',
  agent: 'user_agent.original',
  httpmethod: 'http.request.method',
  reason: 'event.reason',
  group: 'user.group.name',
}

/** FortiOS: `date=… time=… devname="fw1" logid="0000000013" type="traffic" subtype="forward" …`. */
const read: ParseText = (text, { receivedAt }) => {
  const pairs = pairsIn(text)
  const { logid, log_id, type, subtype, devid, device_id, action, result } = pairs
  const code = logid || log_id
  if (!code || !type || !(subtype || devid || device_id)) return undefined
  const src_ip = addressOf(pairs.srcip || pairs.remip || pairs.src || sourceOf(pairs.ui))
  const dst_ip = addressOf(pairs.dstip || pairs.locip || pairs.dst)
  const outcome = pairs.status ?? result
  return {
    source: 'fortigate',
    at: momentOf(timeOf(pairs), receivedAt),
    machine: pairs.devname || pairs.device_name || undefined,
    severity: severityOf(pairs.crlevel || pairs.level || pairs.pri),
    user: [pairs.user, pairs.srcuser, pairs.unauthuser, pairs.xauthuser].find(isNamed),
    event_code: code,
    src_ip,
    dst_ip,
    fields: counted({
      ...renamed(pairs, NAMES),
      'network.transport': transportOf(pairs.proto),
      ...natFields(
        'source',
        { ip: src_ip, port: pairs.srcport },
        { ip: pairs.transip, port: pairs.transport },
      ),
      ...natFields(
        'destination',
        { ip: dst_ip, port: pairs.dstport },
        { ip: pairs.tranip, port: pairs.tranport },
      ),
      ...(outcome ? { 'event.outcome': /^succ/i.test(outcome) ? 'success' : 'failure' } : {}),
      ...(type === 'event' ? {} : verdictOf(pairs.utmaction || action)),
    }),
  }
}

const isNamed = (user: string | undefined) => user !== undefined && user !== '' && user !== 'N/A'

/** Administrators come by `https(192.0.2.5)`. */
const sourceOf = (ui: string | undefined) => ui?.slice(ui.indexOf('(') + 1).replace(')', '')

function timeOf({ date, time, tz, eventtime }: Readonly<Record<string, string>>) {
  if (eventtime && !tz) return eventtime
  return date && time ? `${date} ${time}${tz ?? ''}` : eventtime
}

export const fortigate: TextFormat = {
  id: 'firewall.fortigate',
  title: 'Fortinet FortiGate (FortiOS)',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { accept: 'open', close: 'close', deny: 'refuse', timeout: 'close' },
  },
  overrules: true,
  when: { marks: ['logid=', 'log_id=0'], begins: /[\w-]+=/ },
  read,
  samples: [
    {
      event:
        '<189>date=2026-03-03 time=11:00:00 devname="fw1" devid="FG100F0000000001" eventtime=1772532000000000000 tz="+0100" logid="0000000013" type="traffic" subtype="forward" level="notice" vd="root" srcip=192.0.2.21 srcport=50123 srcintf="lan" dstip=203.0.113.80 dstport=443 dstintf="wan1" sessionid=4711 proto=6 action="deny" policyid=7 policyname="no way out" service="HTTPS" trandisp="snat" transip=198.51.100.9 transport=31000 sentbyte=60 rcvdbyte=0 user="mona"',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'fortigate',
        host: 'fw1',
        severity: 'low',
        user: 'mona',
        process: null,
        event_code: '0000000013',
        src_ip: '192.0.2.21',
        dst_ip: '203.0.113.80',
        fields: {
          'source.port': 50123,
          'source.nat.ip': '198.51.100.9',
          'destination.port': 443,
          'network.transport': 'tcp',
          'event.action': 'deny',
          'event.outcome': 'failure',
          'rule.name': 'no way out',
          'source.bytes': 60,
          action: 'deny',
        },
      },
    },
    {
      event:
        'date=2026-03-03 time=10:00:00 devname=fw1 devid=FG100F0000000001 logid=0100032002 type=event subtype=system level=alert vd=root logdesc="Admin login failed" sn=0 user="eve" ui=https(203.0.113.9) action="login" status="failed" reason="name_invalid" msg="Administrator eve login failed from https(203.0.113.9) because of invalid user name"',
      expect: {
        severity: 'critical',
        user: 'eve',
        src_ip: '203.0.113.9',
        fields: {
          'event.action': 'login',
          'event.outcome': 'failure',
          'event.reason': 'name_invalid',
        },
      },
    },
    {
      event:
        '<185>date=2026-03-03 time=10:00:00 devname="fw1" devid="FG100F0000000001" logid="0419016384" type="utm" subtype="ips" eventtype="signature" level="alert" severity="critical" srcip=203.0.113.9 dstip=192.0.2.80 srcport=41000 dstport=80 action="dropped" proto=6 service="HTTP" attack="Example.Worm" attackid=15621 msg="a: Example.Worm"',
      expect: {
        src_ip: '203.0.113.9',
        fields: { 'threat.name': 'Example.Worm', 'event.type': 'denied' },
      },
    },
    {
      event:
        'date=2026-03-03 time=10:00:00 devname="fw1" devid="FG100F0000000001" logid="0101037138" type="event" subtype="vpn" level="notice" vd="root" logdesc="IPsec connection status changed" action="tunnel-up" remip=203.0.113.9 locip=198.51.100.2 remport=500 locport=500 user="N/A" vpntunnel="site-b"',
      expect: {
        user: null,
        src_ip: '203.0.113.9',
        dst_ip: '198.51.100.2',
        fields: { 'source.port': 500, 'event.action': 'tunnel-up' },
      },
    },
  ],
}
