import type { EndpointCommand, Isolation } from '@manara/soc-contract/edr'

export type IsolationCommand = Exclude<EndpointCommand, 'scan'>

export type Decision =
  | { kind: 'begin'; next: Isolation }
  /** It is so, or on its way: the receipt there is answers this one too. */
  | { kind: 'already' }
  /** Take back the isolation that waits, provided that it was never sent. */
  | { kind: 'withdraw' }
  | { kind: 'refuse'; why: string }

const DECISIONS: Record<IsolationCommand, Record<Isolation, Decision>> = {
  isolate: {
    none: { kind: 'begin', next: 'pending' },
    pending: { kind: 'already' },
    isolated: { kind: 'already' },
    releasing: { kind: 'refuse', why: 'is being released: isolate it when that is done' },
  },
  unisolate: {
    none: { kind: 'refuse', why: 'is not isolated: there is nothing to release' },
    pending: { kind: 'withdraw' },
    isolated: { kind: 'begin', next: 'releasing' },
    releasing: { kind: 'already' },
  },
}

/** none → pending → isolated → releasing → none, and no other way. */
export function decideIsolation(command: IsolationCommand, current: Isolation): Decision {
  return DECISIONS[command][current]
}

/** Where an endpoint stands once the command is over; a failed one leaves it as it was before. */
export function isolationAfter(command: IsolationCommand, hasSucceeded: boolean): Isolation {
  return (command === 'isolate') === hasSucceeded ? 'isolated' : 'none'
}
