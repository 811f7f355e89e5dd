import { programOf } from './evidence/names.ts'
import type { Seen } from './evidence/seen.ts'
import { indicatorsOf } from './indicators/find-indicators.ts'
import { connecting, isStart, parentProgram, startedProgram } from './indicators/indicator.ts'

/** On how many days of a host a feature was seen, of how many there are. */
export type Baseline = { hostDays: number; seen: ReadonlyMap<string, number> }

/** Fewer host-days say nothing about what is usual. */
const FEWEST_HOST_DAYS = 7
const UNKNOWN = 0.5

export const NO_BASELINE: Baseline = { hostDays: 0, seen: new Map() }

/** From 0, seen on every day of every host, to 1, never seen. */
export function rarity({ hostDays, seen }: Baseline, feature: string): number {
  if (hostDays < FEWEST_HOST_DAYS) return UNKNOWN
  const days = seen.get(feature) ?? 0
  return Math.max(0, Math.log((hostDays + 1) / (1 + days)) / Math.log(hostDays + 1))
}

/** What of an event can be usual or not. */
export function featuresOf(event: Seen): string[] {
  if (event.code < 0 || event.kind === 'auth' || event.kind === 'web') return []
  const acting = programOf(
    event.text('Image') ||
      event.text('SourceImage') ||
      event.text('NewProcessName') ||
      event.text('ProcessName') ||
      event.text('Application'),
  )
  const features: string[] = []
  if (acting !== '') features.push(`p:${acting}`)
  if (isStart(event)) features.push(`c:${parentProgram(event)}>${startedProgram(event)}`)
  if (event.kind === 'sysmon' && event.code === 3) {
    features.push(`n:${connecting(event)}:${event.text('DestinationPort')}`)
  }
  if (event.kind === 'sysmon' && event.code === 10) {
    features.push(`a:${acting}>${event.program('TargetImage')}:${event.text('GrantedAccess')}`)
  }
  for (const indicator of indicatorsOf(event)) features.push(`r:builtin:${indicator.id}`)
  return features
}
