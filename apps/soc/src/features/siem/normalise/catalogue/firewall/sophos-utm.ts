import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted, renamed, transportOf, verdictOf } from '../../scan/traffic.ts'
import { severityOf } from '../../severity.ts'
import type { TextFormat } from '../log-format.ts'

const NAMES: Record<string, string> = {
  action: 'event.action',
  srcport: 'source.port',
  dstport: 'destination.port',
  initf: 'observer.ingress.interface.name',
  outitf: 'observer.egress.interface.name',
  fwrule: 'rule.id',
  url: 'url.original',
  method: 'http.request.method',
  statuscode: 'http.response.status_code',
  size: 'http.response.bytes',
  referer: 'http.request.referrer',
  ua: 'user_agent.original',
  categoryname: 'url.category',
  reason: 'event.reason',
  from: 'email.from.address',
  to: 'email.to.address',
  subject: 'email.subject',
  caller: 'process.name',
}

/** Sophos UTM (Astaro): `id="2001" severity="info" sys="SecureNet" sub="packetfilter" name="…" …`. */
const read: ParseText = (text) => {
  const pairs = pairsIn(text)
  const { id, severity, sys, sub, name, action } = pairs
  if (!id || !sys || !sub) return undefined
  const verdict = action === 'pass' || action === 'warn' ? 'allow' : action
  return {
    source: 'sophos_utm',
    severity: severityOf(severity),
    user: pairs.user || pairs.username || undefined,
    event_code: id,
    src_ip: addressOf(pairs.srcip),
    dst_ip: addressOf(pairs.dstip),
    fields: counted({
      ...renamed(pairs, NAMES),
      'rule.name': name,
      'network.transport': transportOf(pairs.proto),
      ...verdictOf(verdict),
    }),
  }
}

export const sophosUtm: TextFormat = {
  id: 'firewall.sophos_utm',
  title: 'Sophos UTM (Astaro)',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { drop: 'refuse', accept: 'open', pass: 'open', block: 'refuse' },
  },
  overrules: true,
  when: { marks: [' sys="Secure', ' sys="System'], begins: /[\w-]+=/ },
  read,
  samples: [
    {
      event:
        '<30>2026:03:03-10:00:00 utm1 ulogd[4711]: id="2001" severity="info" sys="SecureNet" sub="packetfilter" name="Packet dropped" action="drop" fwrule="60001" initf="eth1" srcmac="00:00:5e:00:53:01" dstmac="00:00:5e:00:53:02" srcip="192.0.2.7" dstip="198.51.100.2" proto="6" length="52" srcport="41000" dstport="23" tcpflags="SYN"',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'sophos_utm',
        host: 'utm1',
        process: 'ulogd',
        event_code: '2001',
        src_ip: '192.0.2.7',
        dst_ip: '198.51.100.2',
        fields: {
          'source.port': 41000,
          'destination.port': 23,
          'network.transport': 'tcp',
          'event.action': 'drop',
          'event.outcome': 'failure',
        },
      },
    },
    {
      event:
        '2026:03:03-10:00:00 utm1 httpproxy[6267]: id="0001" severity="info" sys="SecureWeb" sub="http" name="http access" action="pass" method="GET" srcip="192.0.2.21" dstip="203.0.113.80" user="mona" statuscode="200" size="311" url="https://www.example.net/a" ua="curl/8.0"',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        host: 'utm1',
        user: 'mona',
        src_ip: '192.0.2.21',
        fields: { 'url.original': 'https://www.example.net/a', 'http.response.status_code': 200 },
      },
    },
  ],
}
