import type { Query } from '@manara/log-query/ast'
import type { StoredLog } from '../../../../ports/log-store.ts'
import type { Run } from '../../queue/agent-work.ts'
import { earliest, isSeen } from '../reads/find-events.ts'
import { both, query, valueIs } from '../reads/queries.ts'

const WEEK = 7 * 86_400_000
const DAY = 86_400_000
const MOST_READ = 2_000
const MOST_ASKED = 4

/** Kinds of events of which the first one in a week is worth a look. */
type Watched = {
  name: string
  events: Query
  weight: number
  techniques: string[]
  /** What is compared, and how it is looked for earlier; null for an event that does not tell. */
  of(log: StoredLog): { what: string; same: Query } | null
}

const text = ({ fields }: StoredLog, ...names: string[]): string | null => {
  for (const name of names) {
    const value = fields[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}

const endsWith = (field: string, name: string): Query => ({
  kind: 'field',
  field,
  match: { kind: 'pattern', parts: [{ any: 'run' }, name] },
})

const programOf = (path: string) => path.slice(path.lastIndexOf('\\') + 1).toLowerCase()

const WATCHED: Watched[] = [
  {
    name: 'program started by another',
    events: query('(event_code:1 OR event_code:4688) AND (ParentImage:* OR ParentProcessName:*)'),
    weight: 25,
    techniques: ['T1059'],
    of(log) {
      const [childField, child] = named(log, 'Image', 'NewProcessName')
      const [parentField, parent] = named(log, 'ParentImage', 'ParentProcessName')
      if (!child || !parent) return null
      return {
        what: `${programOf(parent)} started ${programOf(child)}`,
        same: both(
          endsWith(childField, programOf(child)),
          endsWith(parentField, programOf(parent)),
        ),
      }
    },
  },
  {
    name: 'new service',
    events: query('event_code:7045 OR event_code:4697'),
    weight: 35,
    techniques: ['T1543.003'],
    of(log) {
      const service = text(log, 'ServiceName')
      if (!service) return null
      return {
        what: `the service ${service} was installed`,
        same: valueIs('ServiceName', service),
      }
    },
  },
  {
    name: 'share',
    events: query('event_code:5140'),
    weight: 25,
    techniques: ['T1021.002'],
    of(log) {
      const share = text(log, 'ShareName')
      if (!share || /\\IPC\$$/i.test(share)) return null
      return { what: `the share ${share} was used`, same: valueIs('ShareName', share) }
    },
  },
]

function named(log: StoredLog, ...names: string[]): [string, string | null] {
  const name = names.find((one) => text(log, one)) ?? ''
  return [name, name ? text(log, name) : null]
}

/** What happened for the first time in a week, among what came in since the last look. */
export async function huntFirstTimes(run: Run, received: { from: number; to: number }) {
  for (const watched of WATCHED) {
    const logs = await earliest(run, { query: watched.events, time: {}, received }, MOST_READ)
    run.step(`${watched.name}: events`, logs.length)
    const [oldest] = logs
    if (oldest && (await hasHistory(run, watched, oldest.at))) await compare(run, watched, logs)
  }
}

/** Where nothing is known of the days before, everything would be for the first time. */
const hasHistory = (run: Run, { events }: Watched, at: number) =>
  isSeen(run, { query: events, time: { from: at - WEEK, to: at - DAY } })

async function compare(run: Run, watched: Watched, logs: StoredLog[]) {
  const seen = new Map<string, { same: Query; logs: StoredLog[] }>()
  for (const log of logs) {
    const told = watched.of(log)
    if (!told) continue
    const known = seen.get(told.what)
    if (known) known.logs.push(log)
    else seen.set(told.what, { same: told.same, logs: [log] })
  }
  const rarest = [...seen].sort(([, a], [, b]) => a.logs.length - b.logs.length)
  for (const [what, { same, logs: some }] of rarest.slice(0, MOST_ASKED)) {
    const [first] = some
    if (!first) continue
    const before = { from: first.at - WEEK, to: first.at }
    if (await isSeen(run, { query: both(watched.events, same), time: before })) continue
    run.found({
      key: `first:${what}`,
      kind: 'hunt',
      claim: `For the first time in a week, ${what}${first.host ? ` on ${first.host}` : ''}`,
      reasons: [`${some.length} ${some.length === 1 ? 'event' : 'events'} since the last look.`],
      weight: watched.weight,
      host: first.host,
      techniques: watched.techniques,
      cites: { log_ids: some.slice(0, 10).map(({ id }) => id) },
    })
  }
}
