import type { Baseline } from '../baseline.ts'
import { isHub } from '../evidence/programs.ts'
import { type Actor, byStrength } from './actor.ts'
import type { Graph } from './graph.ts'
import { giveReason, weighed } from './reasons.ts'

const BY_PORT: Record<string, { technique: string; what: string }> = {
  '135': { technique: 'T1021.003', what: 'the RPC mapper' },
  '445': { technique: 'T1021.002', what: 'the shares' },
  '3389': { technique: 'T1021.001', what: 'the remote desktop' },
  '5985': { technique: 'T1021.006', what: 'WinRM' },
  '5986': { technique: 'T1021.006', what: 'WinRM' },
}
const WEIGHT = 22
const BEFORE_MS = 2 * 60_000

/**
 * A connection that was turned away leaves no trace at the process that asked for it. The host it
 * came from is known, and so is who was up to something there at that moment.
 */
export function attributeRefusals(graph: Graph, baseline: Baseline) {
  for (const { from, host, port, event } of graph.refusals) {
    const known = BY_PORT[port]
    const there = graph.hostOfAddress.get(from)
    if (!known || there === undefined || there === host) continue
    const asked = graph.processes.all
      .filter((one) => one.host === there && isAtWork(one, event.at))
      .sort(byStrength)[0]
    if (!asked) continue
    asked.refusedBy.add(host)
    const reason = {
      id: `builtin:refused-${port}`,
      weight: WEIGHT,
      techniques: [known.technique],
      why: `was at work when ${host} turned away a connection to ${known.what} from ${there}`,
      rule: null,
    }
    giveReason(asked, weighed(reason, baseline), event)
  }
}

const isAtWork = (one: Actor, at: number) =>
  one.user !== '' &&
  !isHub(one.name) &&
  one.score > 12 &&
  one.startedAt !== undefined &&
  one.startedAt <= at + 5_000 &&
  at - one.startedAt <= BEFORE_MS
