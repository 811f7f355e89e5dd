import { addressOf } from '../../addresses.ts'
import type { ParseText } from '../../parsed.ts'
import { type Endpoint, endpointOf } from '../../scan/endpoint.ts'
import { counted, endFields, transportOf, verdictOf } from '../../scan/traffic.ts'
import { bare, firstWord, following, within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import type { TextFormat } from '../log-format.ts'
import { CISCO_IOS_SAMPLES } from './cisco-ios.samples.ts'

const HEAD =
  /%([A-Z][A-Z0-9_]{0,31}(?:-[A-Z0-9_]{1,31}){0,3}?)-([0-7])-([A-Z][A-Z0-9_]{1,63}) ?: ?/g

/** `%SEC-6-IPACCESSLOGP: list 100 denied …` of IOS, IOS XE, IOS XR and NX-OS. */
const read: ParseText = (text) => {
  if (!text.includes('%')) return undefined
  HEAD.lastIndex = 0
  let head = HEAD.exec(text)
  if (!head) return undefined
  // A platform passes on what one of its cards said: the inner message is the event.
  head = HEAD.exec(text) ?? head
  const [matched, facility, level, code] = head
  const body = text.slice(head.index + matched.length)
  const [source, destination] = sidesOf(body)
  const listed = within(body, 'list ', ' ')
  const action = actionOf(body)
  return {
    source: 'cisco_ios',
    severity: severityOf(level, 'syslog'),
    event_code: code,
    user: userOf(body),
    src_ip: source.ip ?? addressOf(clientOf(body)),
    dst_ip: destination.ip,
    fields: counted({
      ...endFields(source, destination),
      'cisco.facility': facility,
      'event.action': action,
      'event.outcome': outcomeOf(body),
      ...verdictOf(action),
      'event.reason': within(body, '[Reason: ', ']'),
      'rule.name': listed,
      'network.transport': protocolOf(body),
      'network.packets': body.includes(' packet') ? packetsOf(body) : undefined,
      'destination.port': destination.port ?? within(body, '[localport: ', ']'),
      'observer.ingress.interface.name': source.zone ?? wordAfter(body, 'nterface '),
      'process.command_line': following(body, 'logged command:', '\n'),
    }),
  }
}

const LONGEST_SIDE = 120

/** `192.0.2.1(80) -> 198.51.100.2(443)`, with `=>` and colons in the zone firewall. */
function sidesOf(body: string): [Endpoint, Endpoint] {
  for (const arrow of ['-> ', '=> ']) {
    const at = body.indexOf(arrow)
    if (at < 0) continue
    const before = body
      .slice(Math.max(0, at - LONGEST_SIDE), at)
      .trim()
      .split(' ')
    // An interface may stand between the address and the arrow.
    const from = before
      .slice(-2)
      .toReversed()
      .map(endpointOf)
      .find(({ ip }) => ip)
    const [to = ''] = firstWord(body.slice(at + arrow.length)).split(/,|\(target:/, 1)
    return [from ?? {}, endpointOf(to)]
  }
  const opener = within(body, 'initiator (', ')')
  if (opener) return [endpointOf(opener), endpointOf(within(body, 'responder (', ')'))]
  return [{}, {}]
}

function userOf(body: string): string | undefined {
  const found =
    within(body, '[user: ', ']') ??
    within(body, "User '", "'") ??
    following(body, 'User:', ' ') ??
    (body.startsWith('Configured from') ? wordAfter(body, ' by ') : undefined) ??
    (body.startsWith('User ') ? wordAfter(body, 'User ') : undefined) ??
    wordAfter(body, ' for user ')
  return found?.trim() || undefined
}

/** Where somebody came from: `[Source: …]`, `from …`, or the address in round brackets at the end. */
function clientOf(body: string): string | undefined {
  const said = within(body, '[Source: ', ']') ?? wordAfter(body, ' from ')
  if (addressOf(said)) return said
  const open = body.lastIndexOf('(')
  return open < 0 ? undefined : bare(body.slice(open + 1))
}

function actionOf(body: string): string | undefined {
  const [word] = body.match(/\b(?:denied|deny|permitted|permit|Dropping)\b/) ?? []
  return word === 'Dropping' ? 'drop' : word
}

function outcomeOf(body: string): string | undefined {
  if (/\b(?:fail|failed|failure|invalid|bad)\b/i.test(body)) return 'failure'
  return /\b(?:success|succeeded|successful|successfully)\b/i.test(body) ? 'success' : undefined
}

function protocolOf(body: string): string | undefined {
  const [protocol] = body.match(/\b(?:tcp|udp|icmp|icmpv6|igmp|gre|esp|pim)\b/) ?? []
  return transportOf(protocol)
}

function packetsOf(body: string): string | undefined {
  const [, count] = /, (\d{1,12}) packet/.exec(body) ?? []
  return count
}

export const ciscoIos: TextFormat = {
  id: 'firewall.cisco_ios',
  title: 'Cisco IOS, IOS XE, IOS XR and NX-OS',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: { class: 'network_activity', activity: { denied: 'refuse', permitted: 'open' } },
  overrules: true,
  when: { starts: ['%'], marks: [': %'], begins: /%[A-Z]/ },
  read,
  samples: CISCO_IOS_SAMPLES,
}
