import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { drawGrowth } from './logs-chart.ts'
import { checksOf, figure, limitOf, type Measured, million } from './logs-limits.ts'
import { QUESTIONS, type Question } from './logs-questions.ts'
import type { Pace } from './pace.ts'

const DOCS = path.join(import.meta.dirname, '../docs')
const FIGURES = path.join(DOCS, 'benchmarks.json')

/** Puts one size into docs/benchmarks.md; those measured before stay, each with its own date. */
export function writeReport(measured: Measured) {
  const before: Measured[] = existsSync(FIGURES) ? JSON.parse(readFileSync(FIGURES, 'utf8')) : []
  const sizes = [...before.filter(({ events }) => events !== measured.events), measured].toSorted(
    (a, b) => a.events - b.events,
  )
  mkdirSync(path.join(DOCS, 'images'), { recursive: true })
  writeFileSync(FIGURES, `${JSON.stringify(sizes, null, 2)}\n`)
  writeFileSync(path.join(DOCS, 'images/log-growth.svg'), drawGrowth(sizes))
  writeFileSync(path.join(DOCS, 'benchmarks.md'), reportOf(sizes))
}

const reportOf = (sizes: Measured[]) => `# Benchmarks of the log store

Written by \`npm run bench -- logs --growth --write\` (one size: \`BENCH_EVENTS=20000000 npm run bench -- logs --write\`; with \`BENCH_DATA\` the stores are built once); the figures alone are in [benchmarks.json](benchmarks.json). Every engine is asked alone, in the same run, on the same machine and about the same events: 30 days in daily files, in the order they came, one in a hundred up to half a minute late. Times are medians of nine in milliseconds. The service is asked over HTTP; "in the process" are the same questions to the same store without it. PostgreSQL has at most 5 million events, as its trigram index takes too long to build beyond. The start (median of three), and what is sent over HTTP, are of a store that has all its events of one day, and of the same one at every size.

![How each question grows with the number of events](images/log-growth.svg)

${sizes.map(sectionOf).join('\n')}`

function sectionOf(measured: Measured): string {
  const { engines, events, people, ingest } = measured
  const names = engines.map(({ name, events: own }) =>
    own === events ? name : `${name}, ${million(own)}`,
  )
  const rows = Object.entries(QUESTIONS).map(([question, what]) => {
    const times = engines.map(({ times }) => figure(times[question as Question] ?? Number.NaN))
    return rowOf([what, ...times, String(limitOf(question as Question, events) ?? '')])
  })
  const checks = checksOf(measured).map(({ what, value, limit, isReached }) =>
    rowOf([what, value, limit, isReached ? 'reached' : '**missed**']),
  )
  return `## ${million(events)} events

${measured.date}, ${measured.machine}.${paceOf(measured)}

${rowOf(['ms', ...names, 'limit'])}
${rowOf(['---', ...names.map(() => '--:'), '--:'])}
${rows.join('\n')}

${rowOf(['', 'measured', 'limit', ''])}
${rowOf(['---', '--:', '--:', '---'])}
${checks.join('\n')}

Agents are off: they would read a week of events meanwhile. The client used ${figure(measured.clientMs)} ms of the processor for a question and ${figure(ingest.clientMicros)} µs for an event it sent, on the same cores. While ${million(ingest.events)} events were sent the service took at most ${figure(ingest.megabytes)} MB. Of 100 people at once, 90 with light questions waited ${figure(people.alone)} ms (p99 ${figure(people.aloneP99)}), and ${figure(people.beside)} ms (p99 ${figure(people.besideP99)}) while 10 asked heavy ones without a pause${people.mixedP99 === undefined ? '' : `, p99 ${figure(people.mixedP99)} while 10 exported, listed all fields, counted frequent values or searched in vain, of whom 4 exports got ${figure(people.exportedMb ?? 0)} MB`}.
`
}

/** How much slower the machine was in its worst moment. */
function paceOf({ pace, ingest }: Measured): string {
  if (!pace || !ingest.pace) return ''
  const between = ({ least, most }: Pace) => `${figure(least)} to ${figure(most)} ms`
  return ` A fixed piece of work took ${between(pace)} of the processor between the questions, ${between(ingest.pace)} before and after the sending: on a machine of its own these are the same.`
}

const rowOf = (cells: string[]) => `| ${cells.join(' | ')} |`
