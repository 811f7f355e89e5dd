import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { counted, transportOf } from '../../scan/traffic.ts'
import { within } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

// `[WAN_LOCAL-4000-D]`: EdgeOS and UniFi name the chain, the rule, and Accept, Drop or Reject.
const CHAIN = /\[?([\w ]{1,40})-(?:RET-)?(\d{1,10}|default)-([ADR])\]?/
const WORD =
  /(?:\b|_)(BLOCK|DROP|REJECT|DENY|DENIED|DROPPED|BLOCKED|ACCEPT|ALLOW|PASS|AUDIT|LIMIT BLOCK)/i
const LETTERS: Record<string, string> = { A: 'accept', D: 'drop', R: 'reject' }

/** What the kernel's packet filter logs: iptables, nftables, ufw, firewalld, EdgeRouter and UniFi. */
const read: ParseText = (text) => {
  const begin = text.indexOf('IN=')
  const pairs = begin < 0 ? {} : pairsIn(text.slice(begin))
  const { SRC, DST, PROTO, SPT, DPT, IN, OUT, MAC, LEN } = pairs
  if (!SRC || !DST || PROTO === undefined) return undefined
  const prefix = text.slice(0, begin).trim()
  const [isChain, chain, rule, letter = ''] = CHAIN.exec(prefix) ?? []
  const [, word] = WORD.exec(within(text, 'DESCR="', '"') ?? prefix) ?? []
  const action = LETTERS[letter] ?? word?.toLowerCase()
  const isDenied = /^(?:drop|reject|block|den|limit)/.test(action ?? '')
  return {
    source: isChain || pairs.DESCR ? 'unifi' : 'netfilter',
    src_ip: addressOf(SRC),
    dst_ip: addressOf(DST),
    fields: counted({
      ...pairs,
      'source.port': SPT,
      'destination.port': DPT,
      'network.transport': transportOf(PROTO),
      'network.bytes': LEN,
      'source.mac': MAC && MAC.length >= 35 ? MAC.slice(18, 35) : undefined,
      'observer.ingress.interface.name': IN,
      'observer.egress.interface.name': OUT,
      'rule.name': prefixName(prefix),
      'rule.ruleset': chain,
      'rule.id': rule,
      'event.action': action,
      'event.outcome': action && (isDenied ? 'failure' : 'success'),
      'event.type': action && (isDenied ? 'denied' : 'allowed'),
    }),
  }
}

/** Without the kernel's own clock: `[12345.678901] [UFW BLOCK]` is `UFW BLOCK`. */
function prefixName(prefix: string): string {
  const close = prefix.startsWith('[') ? prefix.indexOf('] ') : -1
  const named =
    close > 0 && /^\[ *\d+\.\d+$/.test(prefix.slice(0, close)) ? prefix.slice(close + 2) : prefix
  const plain = named.replaceAll('[', '').replaceAll(']', '').trim()
  return plain.endsWith(':') ? plain.slice(0, -1).trim() : plain
}

export const netfilter: TextFormat = {
  id: 'linux.netfilter',
  title: 'iptables, nftables, ufw, firewalld, EdgeRouter and UniFi gateways',
  group: 'linux',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { accept: 'open', drop: 'refuse', block: 'refuse' },
  },
  when: { marks: [' SRC='] },
  read,
  samples: [
    {
      event:
        '<4>Mar  3 10:00:00 web1 kernel: [12345.678901] [UFW BLOCK] IN=eth0 OUT= MAC=00:00:5e:00:53:02:00:00:5e:00:53:01:08:00 SRC=203.0.113.9 DST=198.51.100.2 LEN=60 TOS=0x00 PREC=0x00 TTL=49 ID=4711 DF PROTO=TCP SPT=41000 DPT=22 WINDOW=64240 RES=0x00 SYN URGP=0',
      expect: {
        source: 'netfilter',
        host: 'web1',
        process: 'kernel',
        src_ip: '203.0.113.9',
        dst_ip: '198.51.100.2',
        fields: {
          'source.port': 41000,
          'destination.port': 22,
          'network.transport': 'tcp',
          'event.action': 'block',
          'event.outcome': 'failure',
          'rule.name': 'UFW BLOCK',
          'source.mac': '00:00:5e:00:53:01',
        },
      },
    },
    {
      event:
        '<4>Mar  3 10:00:00 usg kernel: [WAN_LOCAL-4000-D]IN=eth8 OUT= MAC= SRC=203.0.113.9 DST=198.51.100.2 LEN=44 TOS=0x00 PREC=0x00 TTL=240 ID=1 PROTO=TCP SPT=41000 DPT=8443 WINDOW=1024 RES=0x00 SYN URGP=0',
      expect: {
        source: 'unifi',
        src_ip: '203.0.113.9',
        fields: { 'rule.ruleset': 'WAN_LOCAL', 'event.action': 'drop', 'destination.port': 8443 },
      },
    },
    {
      event:
        '<4>Mar  3 10:00:00 udm UDM-Pro [LAN_IN-A-2000] DESCR="Allow web" IN=br0 OUT=eth8 MAC=00 SRC=192.0.2.21 DST=203.0.113.80 LEN=60 PROTO=UDP SPT=50123 DPT=443 LEN=40',
      expect: { dst_ip: '203.0.113.80', fields: { 'event.outcome': 'success' } },
    },
    {
      event:
        '<4>Mar  3 10:00:00 web1 kernel: FINAL_REJECT: IN=eth0 OUT= MAC= SRC=203.0.113.9 DST=198.51.100.2 LEN=40 PROTO=UDP SPT=41000 DPT=53 LEN=20',
      expect: {
        fields: {
          'rule.name': 'FINAL_REJECT',
          'event.action': 'reject',
          'event.outcome': 'failure',
        },
      },
    },
  ],
}
