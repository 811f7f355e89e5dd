import { addressOf } from '../../addresses.ts'
import type { Fields } from '../../fields.ts'
import type { Parsed, ParseText } from '../../parsed.ts'
import { type Endpoint, endpointOf } from '../../scan/endpoint.ts'
import { keep } from '../../scan/kept-fields.ts'
import { endFields, natFields, transportOf, verdictOf, withNumbers } from '../../scan/traffic.ts'
import { bare, firstWord, following, within, wordAfter } from '../../scan/words.ts'
import { severityOf } from '../../severity.ts'
import type { TextFormat } from '../log-format.ts'
import { CISCO_ASA_SAMPLES } from './cisco-asa.samples.ts'
import { readEvent } from './firepower-event.ts'

const HEAD = /%(?:ASA|FTD|PIX|FWSM)-(?:[a-z]{1,12}-)?([0-7])-(\d{6,7}):? ?/

/** `%ASA-4-106023: Deny tcp src …`: told by its number, read by the words around the addresses. */
const read: ParseText = (text) => {
  const head = HEAD.exec(text)
  if (!head) return undefined
  const [matched, level, code = ''] = head
  const body = text.slice(head.index + matched.length)
  const parsed = code.startsWith('4300') ? readEvent(body) : readSentence(body)
  return { source: 'cisco_asa', severity: severityOf(level, 'syslog'), event_code: code, ...parsed }
}

type Side = Endpoint & { nat?: Endpoint; user?: string | undefined }

function readSentence(body: string): Parsed {
  const text = ` ${body}`
  let [source, destination] = sidesOf(text)
  // Of an outbound connection the far end is named first, and who opened it second.
  if (text.startsWith(' Built outbound')) [source, destination] = [destination, source]
  return {
    user: userOf(text) ?? source.user ?? destination.user,
    // Of somebody on a tunnel the address is said beside the name.
    src_ip: text.startsWith(' Group ')
      ? (clientOf(text) ?? source.ip)
      : (source.ip ?? clientOf(text)),
    dst_ip:
      destination.ip ??
      addressOf(wordAfter(text, 'server = ')) ??
      endpointOf(wordAfter(text, 'Local:')).ip,
    fields: fieldsOf(text, source, destination),
  }
}

/** Nearly all of these words are in few sentences: what several have in common is looked for first. */
function fieldsOf(text: string, source: Side, destination: Side): Fields {
  const fields: Fields = {}
  const put = (name: string, value: string | undefined) => keep(fields, name, value)
  const has = (part: string) => text.includes(part)
  for (const some of [
    endFields(source, destination),
    source.nat && natFields('source', source, source.nat),
    destination.nat && natFields('destination', destination, destination.nat),
  ]) {
    for (const name in some) keep(fields, name, some[name])
  }
  put('network.transport', protocolOf(text))
  const action = actionOf(text)
  const { 'event.type': type, 'event.outcome': outcome } = verdictOf(action)
  put('event.action', action)
  keep(fields, 'event.outcome', outcome ?? outcomeOf(text))
  keep(fields, 'event.type', type)
  if (has('eason')) {
    put('event.reason', following(text, 'reason = ', ' :') ?? following(text, 'eason: ', ', '))
  }
  if (has('access-')) {
    put('rule.name', within(text, 'access-group "', '"') ?? wordAfter(text, 'access-list '))
  }
  if (has('ytes ')) {
    put('network.bytes', wordAfter(text, ' bytes '))
    put('source.bytes', wordAfter(text, 'Bytes xmt: '))
    put('destination.bytes', wordAfter(text, 'Bytes rcv: '))
  }
  if (has('Group ')) {
    put('user.group.name', within(text, 'Group <', '>') ?? following(text, 'Group = ', ','))
  }
  put('url.original', urlOf(text))
  if (has('executed ')) {
    put(
      'process.command_line',
      within(text, "executed the '", "'") ??
        following(text, 'executed cmd: ', '\n') ??
        within(text, "executed '", "'"),
    )
  }
  put('network.session.id', wordAfter(text, ' connection ')?.match(/^\d+$/)?.[0])
  return withNumbers(fields)
}

function outcomeOf(text: string): string | undefined {
  if (/(?:reject|fail|denied|invalid)/i.test(text)) return 'failure'
  const isSuccess = /(?:success|succeeded|accept|granted|login permitted|completed)/i.test(text)
  return isSuccess ? 'success' : undefined
}

/** Who opened a connection and to whom, by the words before them. */
function sidesOf(text: string): [Side, Side] {
  const arrow = text.indexOf(' -> ')
  if (arrow > 0) {
    const before = text.slice(0, arrow)
    return [
      arrowSide(before.slice(before.lastIndexOf(' ') + 1)),
      arrowSide(firstWord(text.slice(arrow + 4))),
    ]
  }
  if (text.includes(' faddr ')) {
    const [far, near] = [sideAfter(text, ' faddr '), sideAfter(text, ' laddr ')]
    const isOut = text.includes(' outbound ')
    near.nat = sideAfter(text, ' gaddr ')
    return isOut ? [near, far] : [far, near]
  }
  const accessed = text.indexOf(' Accessed ')
  if (accessed > 0) {
    const to = wordAfter(text, 'URL ') ?? ''
    return [
      sideAt(text, text.lastIndexOf('@', accessed) + 1 || 1),
      endpointOf(to.slice(to.indexOf('@') + 1, to.indexOf(':'))),
    ]
  }
  const from = [' src ', ' SRC ', ' from laddr ', ' from ', ' client ', ' for ', ' between ']
  const to = [' dst ', ' DEST ', ' to ', ' and ']
  return [firstSide(text, from), firstSide(text, to)]
}

function firstSide(text: string, marks: string[]): Side {
  for (const mark of marks) {
    const side = sideAfter(text, mark)
    if (side.ip || (side.domain && side.port !== undefined)) return side
  }
  return {}
}

// A sentence has few of these words; a line made of nothing else is nobody's.
const MOST_TRIED = 8

/** The first place after this word that holds an address. */
function sideAfter(text: string, mark: string): Side {
  let from = text.indexOf(mark)
  for (let tried = 0; from >= 0 && tried < MOST_TRIED; tried += 1) {
    const side = sideAt(text, from + mark.length)
    if (side.ip || (side.domain && side.port !== undefined)) return side
    from = text.indexOf(mark, from + 1)
  }
  return {}
}

/** `outside:192.0.2.1/443 (198.51.100.1/443)(LOCAL\eve)`: address, translated address, user. */
function sideAt(text: string, from: number): Side {
  if (text[from] === '(') return endpointOf(text.slice(from + 1, text.indexOf(')', from)))
  let at = from
  while (at < text.length && text[at] !== ' ' && text[at] !== '(') at += 1
  const side: Side = endpointOf(bare(text.slice(from, at)))
  for (let tried = 0; tried < 2; tried += 1) {
    const open = text[at] === ' ' ? at + 1 : at
    const close = text[open] === '(' ? text.indexOf(')', open) : -1
    if (close < 0) break
    const inner = text.slice(open + 1, close)
    const nat = endpointOf(inner)
    if (nat.ip) side.nat = nat
    else if (!inner.startsWith('type ')) side.user = inner.slice(inner.lastIndexOf('\\') + 1)
    at = close + 1
  }
  return side
}

/** `inside/192.0.2.1(443)(LOCAL\eve)`. */
function arrowSide(word: string): Side {
  const close = word.indexOf(')')
  const user = word[close + 1] === '(' ? word.slice(close + 2, -1) : undefined
  return {
    ...endpointOf(close > 0 ? word.slice(0, close + 1) : word),
    user: user?.slice(user.lastIndexOf('\\') + 1),
  }
}

const USERS: [before: string, after: string][] = [
  ["User '", "'"],
  ["user '", "'"],
  ['user "', '"'],
  ['User <', '>'],
  ['Username = ', ','],
  ['Username:', ' '],
  ['Uname: ', ' '],
  ['ser = ', ' '],
  ['(user= ', ')'],
  ['for user ', ' '],
  ['client user ', ','],
  [', user ', ' '],
  [' User ', ' '],
]
const NO_USERS = new Set(['priv', 'authentication', 'authorization', 'accounting', 'IP', ':', ''])

function userOf(text: string): string | undefined {
  if (!text.includes('ser') && !text.includes('Uname')) return undefined
  for (const [before, after] of USERS) {
    const found = following(text, before, after)
    if (found === undefined) continue
    const name = after === ' ' ? bare(found) : found
    if (!NO_USERS.has(name)) return name
  }
  return undefined
}

function clientOf(text: string): string | undefined {
  for (const mark of [
    'ser IP = ',
    ' IP <',
    ' IP = ',
    'IP address: ',
    'from IP ',
    ' IP ',
    ' IPv4 ',
  ]) {
    const address = addressOf(wordAfter(text, mark))
    if (address) return address
  }
  return endpointOf(wordAfter(text, 'Remote:')).ip
}

function urlOf(text: string): string | undefined {
  const accessed = text.includes(' Accessed ') ? wordAfter(text, 'URL ') : undefined
  if (accessed) return accessed.slice(accessed.indexOf(':') + 1) || undefined
  return wordAfter(text, 'GRANTED: ') ?? wordAfter(text, 'denied URL ')
}

function protocolOf(text: string): string | undefined {
  const [protocol] = text.match(/\b(?:tcp|udp|icmp|sctp|gre|esp|igmp|pim)\b/i) ?? []
  return transportOf(protocol)
}

function actionOf(text: string): string | undefined {
  if (/\b(?:deny|denied|discarded|dropped|blocked)\b/i.test(text)) return 'deny'
  if (text.startsWith(' Built')) return 'built'
  if (text.startsWith(' Teardown')) return 'teardown'
  if (text.includes(' permitted ') || text.includes(' est-allowed ')) return 'permit'
  return undefined
}

export const ciscoAsa: TextFormat = {
  id: 'firewall.cisco_asa',
  title: 'Cisco ASA, Firepower Threat Defense, PIX and FWSM',
  group: 'firewall',
  kind: 'text',
  ecs: 'network',
  ocsf: {
    class: 'network_activity',
    activity: { built: 'open', teardown: 'close', deny: 'refuse', permit: 'open' },
  },
  overrules: true,
  when: { marks: ['%ASA-', '%FTD-', '%PIX-', '%FWSM-'], begins: HEAD },
  read,
  samples: CISCO_ASA_SAMPLES,
}
