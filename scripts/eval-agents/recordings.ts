import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

/** What is known about a recording, written before anybody looked at an answer. */
export type Label = {
  /** The technique first, then others that are right too. */
  techniques: string[]
  /** The first is where it began. */
  hosts: string[]
  user: string
  processes: string[]
  /** Events of the recorder itself, by the values of a field. */
  leave_out: Record<string, (string | number)[]>
}

const DEFAULTS: Label = { techniques: [], hosts: [], user: '', processes: [], leave_out: {} }

function labelIn(file: string): Label {
  const label: Label = { ...DEFAULTS, ...JSON.parse(readFileSync(file, 'utf8')) }
  const isWhole = [label.techniques, label.hosts, label.processes].every(Array.isArray)
  if (!isWhole || label.techniques.length === 0 || label.hosts.length === 0) {
    throw new Error(`${file} must name techniques and hosts: see docs/agents-evaluation.md`)
  }
  return label
}

/** `isText`: lines of a log file, else one JSON object a line. */
export type Recording = { name: string; label: Label; lines: string[]; isText: boolean }

const read = (file: string) => {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()
}

export function readRecordings(directory: string, wanted: string[]): Recording[] {
  const folder = path.join(directory, 'recordings')
  return readdirSync(folder)
    .filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)))
    .sort()
    .flatMap((name) => readRecording(path.join(folder, name), name) ?? [])
}

function readRecording(folder: string, name: string): Recording | undefined {
  const labelFile = path.join(folder, 'label.json')
  const file = ['events.ndjson', 'events.ndjson.gz', 'events.log', 'events.log.gz']
    .map((one) => path.join(folder, one))
    .find((one) => existsSync(one))
  if (!file || !existsSync(labelFile)) return undefined
  const label = labelIn(labelFile)
  const isText = file.includes('events.log')
  const lines = read(file)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return {
    name,
    label,
    isText,
    lines: isText ? lines : lines.filter((line) => isKept(line, label)),
  }
}

function isKept(line: string, { leave_out }: Label): boolean {
  const event = JSON.parse(line)
  return !Object.entries(leave_out).some(([field, values]) => values.includes(event[field]))
}

/** Of the hosts that the attack did not touch; undefined when none is left. */
export function quietPart(recording: Recording): Recording | undefined {
  if (recording.isText) return undefined
  const touched = new Set(recording.label.hosts.map((host) => host.toUpperCase()))
  const lines = recording.lines.filter((line) => !touched.has(hostIn(line)))
  return lines.length === 0 ? undefined : { ...recording, name: `${recording.name} (quiet)`, lines }
}

function hostIn(line: string): string {
  const event = JSON.parse(line)
  return String(event.Computer ?? event.Hostname ?? event.host ?? '')
    .split('.', 1)
    .join('')
    .toUpperCase()
}

type Sets = Record<string, { first: number; last: number }>
type Truths = Record<string, { tech: string[]; hosts: string[]; user: string; procs: string[] }>

/** One file with the lines of many recordings, their line numbers and labels: into a folder each. */
export function splitRecordings(file: string, sets: string, truths: string, directory: string) {
  const lines = read(file).split('\n')
  const ranges: Sets = JSON.parse(readFileSync(sets, 'utf8'))
  const known: Truths = JSON.parse(readFileSync(truths, 'utf8'))
  for (const [name, truth] of Object.entries(known)) {
    const range = ranges[name]
    if (!range) throw new Error(`${sets} has no lines for ${name}`)
    const folder = path.join(directory, 'recordings', name.replaceAll(/[^\w.-]/g, '_'))
    mkdirSync(folder, { recursive: true })
    const events = lines.slice(range.first - 1, range.last).join('\n')
    writeFileSync(path.join(folder, 'events.ndjson.gz'), gzipSync(`${events}\n`))
    const label: Label = {
      techniques: truth.tech,
      hosts: truth.hosts,
      user: truth.user,
      processes: truth.procs,
      // The recorder cleared the logs before it began.
      leave_out: { EventID: [1102, 104] },
    }
    writeFileSync(path.join(folder, 'label.json'), `${JSON.stringify(label, null, 2)}\n`)
  }
}
