import { proxyTechnique } from '../evidence/programs.ts'
import type { Seen } from '../evidence/seen.ts'
import { CREDENTIALS } from './credentials.ts'
import { DISCOVERY } from './discovery.ts'
import { EVASION } from './evasion.ts'
import { EXECUTION, PROXIED } from './execution.ts'
import { type Indicator, isStart, parentProgram, type When } from './indicator.ts'
import { INJECTION } from './injection.ts'
import { LINUX } from './linux.ts'
import { MOVEMENT } from './movement.ts'
import { ORDERS } from './orders.ts'
import { PERSISTENCE } from './persistence.ts'
import { WEB } from './web.ts'

const ALL = [
  ...CREDENTIALS,
  ...INJECTION,
  ...PERSISTENCE,
  ...EXECUTION,
  PROXIED,
  ...MOVEMENT,
  ...ORDERS,
  ...EVASION,
  ...DISCOVERY,
  ...LINUX,
  ...WEB,
]

/** Every technique that can be named without a rule. */
export const BUILT_IN_TECHNIQUES: readonly string[] = [
  ...new Set(ALL.flatMap(({ techniques }) => techniques)),
]

/** So that an event is asked only what can be true of its kind. */
const BY_WHEN = new Map<When, Indicator[]>()
for (const indicator of ALL) {
  for (const when of indicator.when) {
    BY_WHEN.set(when, [...(BY_WHEN.get(when) ?? []), indicator])
  }
}
const NONE: Indicator[] = []

export function indicatorsOf(event: Seen): Indicator[] {
  const candidates = BY_WHEN.get(whenOf(event)) ?? NONE
  if (candidates === NONE) return NONE
  return candidates.filter((one) => one.test(event)).map((one) => asSeen(one, event))
}

function whenOf(event: Seen): When {
  if (isStart(event)) return 'start'
  const { kind } = event
  if (kind === 'auth' || kind === 'web') return kind
  return kind === 'powershell' ? 'script' : `${kind}:${event.code}`
}

function asSeen(indicator: Indicator, event: Seen): Indicator {
  if (indicator !== PROXIED) return indicator
  return { ...indicator, techniques: [proxyTechnique(parentProgram(event)) ?? 'T1218'] }
}
