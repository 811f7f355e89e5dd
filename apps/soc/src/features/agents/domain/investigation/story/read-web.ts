import type { Baseline } from '../baseline.ts'
import type { Seen } from '../evidence/seen.ts'
import { isAnswered, statusOf } from '../indicators/web.ts'
import type { Actor } from './actor.ts'
import type { Graph } from './graph.ts'
import { giveReason, weighed } from './reasons.ts'

const MANY_MISSING = 20
const MANY_REFUSED = 5
const MOST_AFTER = 5

/** Who asked a site for what, by address: what was refused, what then was not, and what followed. */
export function readWeb(graph: Graph, events: Seen[], baseline: Baseline) {
  const byAddress = new Map<Actor, Seen[]>()
  for (const event of events) {
    if (event.kind !== 'web' || !event.log.src_ip) continue
    const actor = graph.other('address', event, event.log.src_ip)
    actor.deeds += 1
    actor.user ||= (event.text('cs-username') || '').toLowerCase()
    graph.actorOf.set(event, actor)
    const known = byAddress.get(actor)
    if (known) known.push(event)
    else byAddress.set(actor, [event])
  }
  for (const [actor, requests] of byAddress) {
    judgeMissing(actor, requests, baseline)
    judgeChange(actor, requests, baseline)
  }
}

const pathOf = (event: Seen) => event.text('cs-uri-stem') || event.text('url.path')
const methodOf = (event: Seen) => event.text('cs-method') || event.text('http.request.method')

function judgeMissing(actor: Actor, requests: Seen[], baseline: Baseline) {
  const missing = requests.filter((event) => statusOf(event) === 404)
  const paths = new Set(missing.map(pathOf))
  const [first] = missing
  if (!first || paths.size < MANY_MISSING) return
  const reason = {
    id: 'builtin:web-probing',
    weight: 12 + Math.min(15, paths.size / 10),
    techniques: ['T1595.003'],
    why: `${actor.name} asked for ${paths.size} paths that do not exist`,
    rule: null,
  }
  giveReason(actor, weighed(reason, baseline), first)
}

/** Refused again and again, then answered: whatever stood in the way no longer does. */
function judgeChange(actor: Actor, requests: Seen[], baseline: Baseline) {
  const refused = new Map<string, Seen[]>()
  for (const [place, event] of requests.entries()) {
    const key = `${methodOf(event)} ${pathOf(event)}`
    const before = refused.get(key) ?? []
    const status = statusOf(event)
    if (status === 401 || status === 403 || status === 404 || status === 429) {
      refused.set(key, [...before.slice(-1), event, ...before.slice(0, -1)].slice(0, 1_000))
    } else if (isAnswered(event) && before.length >= MANY_REFUSED) {
      const was = statusOf(before[0] ?? event)
      const after = requests.slice(place + 1)
      const reason = {
        id: 'builtin:web-status-change',
        weight: 45,
        techniques: [was === 404 ? 'T1505.003' : 'T1110.001'],
        why: `${key} was refused ${before.length} times with ${was}, then answered with ${status}; ${after.length} requests followed`,
        rule: null,
      }
      giveReason(actor, weighed(reason, baseline), event, ...before.slice(0, 1))
      actor.told.push(...after.slice(0, MOST_AFTER))
      return
    }
  }
}
