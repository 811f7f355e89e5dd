import type { Baseline } from '../baseline.ts'
import { personOf } from '../evidence/names.ts'
import type { Seen } from '../evidence/seen.ts'
import type { Actor } from './actor.ts'
import { adopt, type Graph } from './graph.ts'
import { giveReason, weighed } from './reasons.ts'

type Attempt = { user: string; event: Seen; isIn: boolean; times: number }

/** Fewer refusals are somebody who forgot a password. */
const FEWEST = 5
const MANY_ACCOUNTS = 5
const AS_ANOTHER_MS = 60_000
const MOST_TOLD = 20

/**
 * Who knocked from which address, at which account, and whether they got in: sshd and the like, and
 * the logons of Windows.
 */
export function readLogons(graph: Graph, events: Seen[], baseline: Baseline) {
  const byAddress = new Map<string, Attempt[]>()
  for (const event of events) {
    const attempt = attemptOf(event)
    if (!attempt) continue
    const key = `${event.host}|${attempt.from}`
    const known = byAddress.get(key)
    if (known) known.push(attempt)
    else byAddress.set(key, [attempt])
  }
  for (const [key, attempts] of byAddress)
    judge(graph, key.slice(key.indexOf('|') + 1), attempts, baseline)
}

function attemptOf(event: Seen): (Attempt & { from: string }) | undefined {
  if (event.kind === 'auth') {
    const action = event.text('event.action')
    const from = event.log.src_ip ?? ''
    if (from === '' || !['ssh_login', 'authentication'].includes(action)) return undefined
    const isIn = event.text('event.outcome') === 'success'
    const times = Number(event.text('event.count')) || 1
    return { from, user: (event.log.user ?? '').toLowerCase(), event, isIn, times }
  }
  if (event.kind !== 'security' || (event.code !== 4625 && event.code !== 4624)) return undefined
  const from = event.text('IpAddress').replace('::ffff:', '')
  const user = personOf(event.text('TargetUserName'))
  const isRemote = ['3', '8', '10'].includes(event.text('LogonType'))
  if (!isRemote || user === '' || !/[\d.:a-f]{3,}/.test(from)) return undefined
  return { from, user, event, isIn: event.code === 4624, times: 1 }
}

function judge(graph: Graph, from: string, attempts: Attempt[], baseline: Baseline) {
  const refused = attempts.filter(({ isIn }) => !isIn)
  const count = refused.reduce((sum, { times }) => sum + times, 0)
  const [first] = refused
  if (!first || count < FEWEST) return
  const actor = graph.other('address', first.event, from)
  actor.deeds += attempts.length
  const accounts = new Set(refused.map(({ user }) => user))
  const isSpray = accounts.size >= MANY_ACCOUNTS
  const last = refused.at(-1) ?? first
  giveReason(
    actor,
    weighed(
      {
        id: isSpray ? 'builtin:password-spray' : 'builtin:password-guessing',
        weight: 15 + Math.min(15, count / 5),
        techniques: [isSpray ? 'T1110.003' : 'T1110.001'],
        why: `${count} refused logons from ${from} at ${accounts.size === 1 ? `the account ${first.user || 'without a name'}` : `${accounts.size} accounts`}`,
        rule: null,
      },
      baseline,
    ),
    first.event,
    ...(last === first ? [] : [last.event]),
  )
  actor.user = mostTried(refused)
  const entered = attempts.find(({ isIn, event }) => isIn && isAfter(refused, event))
  if (entered) noteEntry(graph, actor, entered, baseline)
}

/** As many refusals before it as make it guessing. */
function isAfter(refused: Attempt[], event: Seen): boolean {
  let times = 0
  for (const one of refused) if (one.event.at <= event.at) times += one.times
  return times >= FEWEST
}

function noteEntry(graph: Graph, actor: Actor, { user, event }: Attempt, baseline: Baseline) {
  giveReason(
    actor,
    weighed(
      {
        id: 'builtin:got-in',
        weight: 60,
        techniques: ['T1078'],
        why: `got in as ${user} from ${actor.name} after it had been refused`,
        rule: null,
      },
      baseline,
    ),
    event,
  )
  actor.user = user
  const session = graph.other('session', event, user)
  session.user ||= user
  adopt(actor, session)
  const after = session.told.filter(({ at }) => at >= event.at)
  session.told = after.slice(0, MOST_TOLD)
  const [first] = after
  if (!first) return
  giveReason(
    session,
    weighed(
      {
        id: 'builtin:after-entry',
        weight: 10,
        techniques: ['T1548.003'],
        why: `${after.length} commands with the rights of another after getting in as ${user}`,
        rule: null,
      },
      baseline,
    ),
    first,
  )
}

function mostTried(attempts: Attempt[]): string {
  const counts = new Map<string, number>()
  for (const { user, times } of attempts) counts.set(user, (counts.get(user) ?? 0) + times)
  return [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))[0]?.[0] ?? ''
}

/** What `useradd` and the like write names no one: it is who became root there just before. */
export function readLinux(graph: Graph, events: Seen[]) {
  const lastToAct = new Map<string, { user: string; at: number }>()
  for (const event of events) {
    if (event.kind !== 'auth') continue
    const action = event.text('event.action')
    if (action === 'sudo' || action === 'su') {
      lastToAct.set(event.host, { user: (event.log.user ?? '').toLowerCase(), at: event.at })
    }
    const before = lastToAct.get(event.host)
    const isTheirs = before !== undefined && event.at - before.at <= AS_ANOTHER_MS
    const user = action === 'sudo' || action === 'su' || isTheirs ? (before?.user ?? '') : ''
    if (user === '' || event.log.src_ip) continue
    const session = graph.other('session', event, user)
    session.user ||= user
    session.deeds += 1
    session.told.push(event)
    graph.actorOf.set(event, session)
  }
}
