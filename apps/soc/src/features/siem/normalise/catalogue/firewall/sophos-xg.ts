import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted, natFields, renamed, transportOf, verdictOf } from '../../scan/traffic.ts'
import { momentInZone } from '../../scan/zones.ts'
import { severityOf } from '../../severity.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const NAMES: Record<string, string> = {
  src_port: 'source.port',
  dst_port: 'destination.port',
  fw_rule_id: 'rule.id',
  fw_rule_name: 'rule.name',
  signature_msg: 'threat.name',
  threatname: 'threat.name',
  virus: 'threat.name',
  sent_bytes: 'source.bytes',
  bytes_sent: 'source.bytes',
  recv_bytes: 'destination.bytes',
  bytes_received: 'destination.bytes',
  in_interface: 'observer.ingress.interface.name',
  out_interface: 'observer.egress.interface.name',
  src_zone: 'observer.ingress.zone',
  dst_zone: 'observer.egress.zone',
  app_name: 'network.application',
  application: 'network.application',
  url: 'url.original',
  domain: 'url.domain',
  domainname: 'url.domain',
  http_status: 'http.response.status_code',
  status_code: 'http.response.status_code',
  user_agent: 'user_agent.original',
  category: 'url.category',
  from_email_address: 'email.from.address',
  to_email_address: 'email.to.address',
  email_subject: 'email.subject',
  subject: 'email.subject',
  reason: 'event.reason',
  con_id: 'network.session.id',
}

/** Sophos Firewall (XG, XGS, SFOS): pairs, with a log id that says what it is about. */
const read: ParseText = (text, { receivedAt }) => {
  const pairs = pairsIn(text)
  const { log_type, log_subtype, log_component, date, time, timestamp, timezone = '' } = pairs
  if (!log_type || !(log_component || log_subtype)) return undefined
  const src_ip = addressOf(pairs.src_ip || pairs.sourceip || pairs.src || pairs.reported_ip)
  const dst_ip = addressOf(pairs.dst_ip || pairs.destinationip || pairs.dst)
  const at = timestamp
    ? momentOf(timestamp, receivedAt)
    : momentInZone(`${date} ${time} ${timezone}`, receivedAt)
  const result = pairs.status || log_subtype
  const isLogin = log_type === 'Authentication' || pairs.auth_client !== undefined
  return {
    source: 'sophos_xg',
    at: at ?? momentOf(`${date} ${time}`, receivedAt),
    machine: pairs.device_name && pairs.device_name !== 'SFW' ? pairs.device_name : undefined,
    severity: severityOf(pairs.priority || pairs.severity),
    user: pairs.user_name || pairs.user || pairs.usr_name || undefined,
    event_code: pairs.log_id || undefined,
    src_ip,
    dst_ip,
    fields: counted({
      ...renamed(pairs, NAMES),
      'event.action': log_subtype,
      ...(isLogin
        ? { 'event.outcome': /^succ/i.test(result ?? '') ? 'success' : 'failure' }
        : verdictOf(log_subtype)),
      'network.transport': transportOf(pairs.protocol),
      ...natFields(
        'source',
        { ip: src_ip, port: pairs.src_port },
        {
          ip: pairs.tran_src_ip || pairs.src_trans_ip,
          port: pairs.tran_src_port || pairs.src_trans_port,
        },
      ),
      ...natFields(
        'destination',
        { ip: dst_ip, port: pairs.dst_port },
        {
          ip: pairs.tran_dst_ip || pairs.dst_trans_ip,
          port: pairs.tran_dst_port || pairs.dst_trans_port,
        },
      ),
    }),
  }
}

export const sophosXg: TextFormat = {
  id: 'firewall.sophos_xg',
  title: 'Sophos Firewall (XG, XGS)',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { Allowed: 'open', Denied: 'refuse', Drop: 'refuse' },
  },
  overrules: true,
  when: { marks: ['log_type="'], begins: /[\w-]+=/ },
  read,
  samples: [
    {
      event:
        '<30>device="SFW" date=2026-03-03 time=11:00:00 timezone="CET" device_name="xg1" device_id=C01001 log_id=010101600001 log_type="Firewall" log_component="Firewall Rule" log_subtype="Denied" status="Deny" priority=Warning duration=0 fw_rule_id=5 user_name="mona" application="" in_interface="Port1" out_interface="Port2" src_mac=00:00:5e:00:53:01 src_ip=192.0.2.21 src_country_code=R1 dst_ip=203.0.113.80 dst_country_code=NLD protocol="TCP" src_port=50123 dst_port=443 sent_pkts=0 recv_pkts=0 sent_bytes=0 recv_bytes=0 tran_src_ip=198.51.100.9 tran_src_port=0 tran_dst_ip= tran_dst_port=0',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'sophos_xg',
        host: 'xg1',
        severity: 'medium',
        user: 'mona',
        event_code: '010101600001',
        src_ip: '192.0.2.21',
        dst_ip: '203.0.113.80',
        fields: {
          'source.port': 50123,
          'source.nat.ip': '198.51.100.9',
          'destination.port': 443,
          'network.transport': 'tcp',
          'event.action': 'Denied',
          'event.outcome': 'failure',
          'rule.id': '5',
        },
      },
    },
    {
      event:
        '<134>1 2026-03-03T10:00:00+0000 xg2 - - - - device_name="SFW" timestamp="2026-03-03T10:00:00+0000" device_model="XGS126" device_serial_id="X1" log_id="050902616002" log_type="Content Filtering" log_component="HTTP" log_subtype="Denied" log_version=1 severity="Information" fw_rule_id="2" user_name="mona" http_category="Games" url="https://games.example.net/" src_ip="192.0.2.21" dst_ip="203.0.113.80" protocol="TCP" src_port=50124 dst_port=443 domain="games.example.net" http_status="403"',
      expect: {
        host: 'xg2',
        user: 'mona',
        src_ip: '192.0.2.21',
        fields: { 'url.original': 'https://games.example.net/', 'http.response.status_code': 403 },
      },
    },
  ],
}
