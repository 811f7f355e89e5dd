import type { Investigation } from '@manara/soc-contract/investigation'
import type { Label } from './recordings.ts'

export type Row = {
  name: string
  events: number
  isFirstHost: boolean
  areAllHosts: boolean
  /** null where the label says nothing. */
  isUser: boolean | null
  isProcess: boolean | null
  isTechniqueFirst: boolean
  isTechniqueInThree: boolean
  isAttack: boolean
  toRead: number
  missingCites: number
  areRunsEqual: boolean
  ms: number
}

export type Judged = { answer: Investigation; label: Label; currentOf(technique: string): string }

/** A label of a technique is met by the technique, its parent and its parts. */
export function judge({ answer, label, currentOf }: Judged) {
  const right = new Set(label.techniques.flatMap((id) => [id, currentOf(id)]))
  const parent = (id: string) => id.split('.')[0] ?? id
  const isRight = ({ id }: { id: string }) =>
    [...right].some((one) => one === id || parent(one) === id || one === parent(id))
  const hosts = answer.hosts.map((host) => host.toUpperCase())
  const wanted = label.hosts.map((host) => host.toUpperCase())
  const process = answer.initiator?.process ?? answer.initiator?.address ?? ''
  return {
    isFirstHost: hosts[0] === wanted[0],
    areAllHosts: wanted.every((host) => hosts.includes(host)),
    isUser: label.user === '' ? null : answer.users[0] === label.user.toLowerCase(),
    isProcess: label.processes.length === 0 ? null : label.processes.includes(process),
    isTechniqueFirst: answer.techniques.slice(0, 1).some(isRight),
    isTechniqueInThree: answer.techniques.slice(0, 3).some(isRight),
    isAttack: answer.verdict === 'attack',
    toRead: answer.timeline.length,
  }
}

export type Figures = ReturnType<typeof figuresOf>

export function figuresOf(rows: Row[], quiet: { isAttack: boolean }[]) {
  const count = (is: (row: Row) => boolean) => rows.filter(is).length
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
  return {
    recordings: rows.length,
    events: sum(({ events }) => events),
    first_host: count(({ isFirstHost }) => isFirstHost),
    all_hosts: count(({ areAllHosts }) => areAllHosts),
    user: count(({ isUser }) => isUser === true),
    user_labelled: count(({ isUser }) => isUser !== null),
    process: count(({ isProcess }) => isProcess === true),
    process_labelled: count(({ isProcess }) => isProcess !== null),
    technique_first: count(({ isTechniqueFirst }) => isTechniqueFirst),
    technique_in_three: count(({ isTechniqueInThree }) => isTechniqueInThree),
    called_attack: count(({ isAttack }) => isAttack),
    to_read: sum(({ toRead }) => toRead),
    missing_cites: sum(({ missingCites }) => missingCites),
    unequal_runs: count(({ areRunsEqual }) => !areRunsEqual),
    quiet_windows: quiet.length,
    false_alarms: quiet.filter(({ isAttack }) => isAttack).length,
  }
}

const MORE_IS_BETTER = [
  'first_host',
  'all_hosts',
  'user',
  'process',
  'technique_first',
  'technique_in_three',
  'called_attack',
] as const
const LESS_IS_BETTER = ['to_read', 'missing_cites', 'unequal_runs', 'false_alarms'] as const

/** What is worse than what was kept, in words; of other recordings nothing can be said. */
export function fallen(kept: Figures, now: Figures): string[] {
  const isSame =
    kept.recordings === now.recordings &&
    kept.events === now.events &&
    kept.quiet_windows === now.quiet_windows
  if (!isSame) return ['other recordings than those of the kept figures: keep new ones with --keep']
  return [
    ...MORE_IS_BETTER.filter((name) => now[name] < kept[name]),
    ...LESS_IS_BETTER.filter((name) => now[name] > kept[name]),
  ].map((name) => `${name} was ${kept[name]} and is ${now[name]}`)
}
