import type { StoredLog, TimeRange } from '../../../../ports/log-store.ts'
import { hostOf } from '../../domain/investigation/evidence/names.ts'
import { lookAt } from '../../domain/investigation/evidence/seen.ts'
import type { Focus } from '../../domain/investigation/investigate.ts'
import type { Needs } from '../../domain/investigation/needs.ts'
import type { Knowledge } from '../../domain/investigation/story/reasons.ts'
import type { AnalystThread } from '../thread/threads.ts'
import type { Anchor } from './find-anchor.ts'
import { type Gathered, MOST_MATCHED } from './find-hits.ts'
import type { Plan } from './plan.ts'
import { begunFrom, EVERYTHING, onHosts, startOf } from './queries.ts'

type Window = { from: number; to: number; hosts: string[]; partial: string | undefined }

export type GatherDeps = {
  plan: Plan
  thread: AnalystThread
  /** Asked again whenever there is more. */
  know(gathered: Gathered): Promise<Knowledge>
  /** After this moment nothing more is fetched. */
  deadline: number
  now(): number
}

const AROUND_MS = 30 * 60_000
const FARTHEST_BACK_MS = 24 * 3_600_000
const MOST_EVENTS = 200_000
/** A window with fewer events is taken whole: others may have done what this host shows. */
const FEW_EVENTS = 20_000
const MOST_HOSTS = 5
const MOST_ROUNDS = 4

export function focusOf(anchor: Anchor): Focus {
  const events = anchor.logs.map(lookAt)
  const hosts = new Set(events.map(({ host }) => host))
  if (hosts.size === 0 && anchor.host) hosts.add(hostOf(anchor.host))
  return {
    at: events[0]?.at ?? anchor.at,
    hosts,
    logIds: new Set(anchor.logs.map(({ id }) => id)),
  }
}

/** The window around the anchor, widened to the hosts the story reaches and to where it began. */
export async function gather(deps: GatherDeps, anchor: Anchor, focus: Focus) {
  const { plan, thread } = deps
  const gathered: Gathered = {
    ids: [],
    receivedFrom: Number.POSITIVE_INFINITY,
    receivedTo: 0,
    logs: [],
  }
  const known = new Set<string>()
  const window: Window = {
    from: anchor.at - AROUND_MS,
    to: anchor.at + AROUND_MS,
    hosts: [],
    partial: undefined,
  }
  const hosts = new Set([...focus.hosts].filter((host) => host !== ''))

  async function take(batch: StoredLog[]) {
    const fresh = batch.filter(({ id }) => !known.has(id))
    for (const log of fresh) {
      known.add(log.id)
      gathered.ids.push(log.id)
      gathered.receivedFrom = Math.min(gathered.receivedFrom, log.received_at)
      gathered.receivedTo = Math.max(gathered.receivedTo, log.received_at)
      if (gathered.logs.length <= MOST_MATCHED) gathered.logs.push(log)
    }
    await thread.take(fresh)
  }

  async function read(step: string, time: TimeRange, of: Iterable<string> | undefined) {
    const room = MOST_EVENTS - known.size
    const query = of === undefined ? EVERYTHING : onHosts(of)
    const isWhole = room > 0 && (await plan.scan({ step, query, time }, room, take))
    if (!isWhole)
      window.partial ??= `only the first ${MOST_EVENTS} events were read: ask about a shorter time or one host`
  }

  const time = { from: window.from, to: window.to + 1 }
  const all = await plan.search(
    { step: 'how much there is in the window', query: EVERYTHING, time },
    { limit: 1, countUpTo: FEW_EVENTS + 1 },
  )
  const isWhole = (all.total ?? 0) <= FEW_EVENTS || hosts.size === 0
  await read(
    isWhole ? 'everything in the window' : 'the window on the hosts of the anchor',
    time,
    isWhole ? undefined : hosts,
  )

  let knowledge = await deps.know(gathered)
  for (let round = 0; round < MOST_ROUNDS && window.partial === undefined; round += 1) {
    if (deps.now() > deps.deadline) {
      window.partial = 'it took too long: what was found until then'
      break
    }
    const needs = await thread.call('needs', [focus, knowledge])
    const before = known.size
    if (!isWhole) await readReached(needs)
    if (needs.root) await readBack(needs.root)
    if (known.size === before) break
    knowledge = await deps.know(gathered)
  }
  window.hosts = [...hosts].sort()
  return { window, gathered, knowledge }

  async function readReached(needs: Needs) {
    const reached = new Set(needs.hosts)
    for (const address of needs.addresses) {
      if (!plan.mayAsk()) break
      const step = `which host has ${address}`
      for (const host of await plan.hostsOf({ step, query: begunFrom(address), time }, 3)) {
        reached.add(hostOf(host))
      }
    }
    const fresh = [...reached]
      .filter((host) => host !== '' && !hosts.has(host))
      .slice(0, Math.max(0, MOST_HOSTS - hosts.size))
    if (fresh.length === 0) return
    for (const host of fresh) hosts.add(host)
    await read(`the window on ${fresh.join(', ')}`, time, fresh)
  }

  async function readBack(root: NonNullable<Needs['root']>) {
    if (!plan.mayAsk()) return
    const earlier = { from: anchor.at - FARTHEST_BACK_MS, to: window.from }
    const asked = {
      step: `the start of ${root.name} on ${root.host}`,
      query: startOf(root),
      time: earlier,
    }
    const { logs } = await plan.search(asked, { limit: 2, countUpTo: 0 })
    const [start] = logs
    if (!start || start.at >= window.from) return
    const until = window.from
    window.from = start.at
    await read(`${root.host} back to the start of ${root.name}`, { from: start.at, to: until }, [
      root.host,
    ])
  }
}
