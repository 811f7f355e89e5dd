import type { LogRecord } from '@manara/log-query/event'
import { techniqueOf } from './mitre/techniques.ts'

/** What an analyst asks first, and the names under which events answer. */
const ASKED: [what: string, names: string[]][] = [
  ['Command line', ['CommandLine', 'process.command_line', 'ProcessCommandLine', 'cmdline']],
  ['Process', ['Image', 'NewProcessName', 'process.executable']],
  [
    'Parent',
    ['ParentCommandLine', 'ParentImage', 'ParentProcessName', 'process.parent.executable'],
  ],
  ['Target', ['TargetImage', 'TargetFilename', 'TargetObject', 'TargetUserName', 'file.path']],
  ['Domain', ['QueryName', 'DestinationHostname', 'dns.question.name', 'url.domain']],
]
const LONGEST = 1_000

/** The event in a few lines: what ran, by whom, from where, against what, and how it is called. */
export function storyOf(log: LogRecord, mitreTechniques: string[]): string {
  const asked = ASKED.map(([what, names]) => [what, firstOf(log, names)] as const)
  const facts: (readonly [string, string | null | undefined])[] = [
    ['Host', log.host],
    ['User', log.user],
    ...asked,
    ['From', log.src_ip],
    ['To', log.dst_ip],
  ]
  const told = facts.flatMap(([what, value]) => (value ? [`${what}: ${clip(value)}`] : []))
  const techniques = mitreTechniques.map((id) => `${id} ${techniqueOf(id)?.name ?? ''}`.trim())
  if (techniques.length > 0) told.push(`ATT&CK: ${techniques.join(', ')}`)
  return told.join('\n')
}

/** Whom an alert is about when no machine is named. */
export const entityOf = ({ host, user, src_ip, dst_ip, process, source }: LogRecord): string =>
  host ?? user ?? src_ip ?? dst_ip ?? process ?? source

function firstOf({ fields }: LogRecord, names: string[]): string | undefined {
  for (const name of names) {
    const [value] = [fields[name]].flat()
    if (value !== undefined && value !== null && value !== '' && value !== '-') return String(value)
  }
  return undefined
}

const clip = (text: string) =>
  text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()} …` : text
