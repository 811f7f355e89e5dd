import { programOf } from '../evidence/names.ts'
import type { Kind, Seen } from '../evidence/seen.ts'

/** `start` is a process start of either log; Windows' others are a kind of log and a number. */
export type When = 'start' | 'script' | 'auth' | 'web' | `${Kind}:${number}`

/** What an analyst knows without a rule. */
export type Indicator = {
  id: string
  /** From 6, worth a look beside others, to 80, an attack by itself. */
  weight: number
  techniques: readonly string[]
  when: readonly When[]
  test(event: Seen): boolean
  why: string
}

export function isStart({ kind, code }: Seen): boolean {
  return kind === 'sysmon' ? code === 1 : kind === 'security' && code === 4688
}

export const startedImage = (event: Seen) => event.text('Image') || event.text('NewProcessName')
export const startedProgram = (event: Seen) => programOf(startedImage(event))
export const parentProgram = (event: Seen) =>
  event.program('ParentImage') || event.program('ParentProcessName')

/** Who opens a connection, of either log. */
export const connecting = (event: Seen) => event.program('Image') || event.program('Application')
export const targetPort = (event: Seen) => event.text('DestinationPort') || event.text('DestPort')

/** Events of Windows' filter say the direction as `%%14593`, Sysmon says who began. */
export function isOutgoing(event: Seen): boolean {
  if (event.kind === 'sysmon') return event.text('Initiated').toLowerCase() !== 'false'
  return event.text('Direction').includes('14593')
}

/** What follows a program in a command line: null when it is not there. */
export function argumentsOf(event: Seen, ...programs: string[]): string[] | null {
  const words = event.words()
  const at = words.findIndex((word) => programs.includes(programOf(word).replace(/\.exe$/, '')))
  return at < 0 ? null : words.slice(at + 1)
}

const LONGEST_SCRIPT = 16_384

/** All that a PowerShell event says was run. */
export function scriptOf(event: Seen): string {
  const parts = [event.text('ScriptBlockText'), event.text('Payload'), event.text('Message')]
  return parts.join('\n').slice(0, LONGEST_SCRIPT).toLowerCase()
}

/** A script, or the command line of a start. */
export const saidBy = (event: Seen) =>
  event.kind === 'powershell' ? scriptOf(event) : event.text('CommandLine').toLowerCase()

export const hasAny = (text: string, parts: readonly string[]) =>
  parts.some((part) => text.includes(part))
