import { spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { stripVTControlCharacters } from 'node:util'
import { NO_KEYS } from '@manara/kit/lean'
import { isHeard } from './split-suites.ts'

const COUNTS = ['tests', 'suites', 'pass', 'fail', 'cancelled', 'skipped', 'todo'] as const
const SUMMARY = new RegExp(`^ℹ (${COUNTS.join('|')}|duration_ms) (\\d+)`)
const FAILING = '✖ failing tests:'
/** For a process to end that has told all: once in a long while one does not. */
const ENDING_MS = 30_000

/**
 * Runs each group in a process of its own, which is given the flags, so many at the same time, and sums
 * up what they report.
 */
export async function runSuites(
  groups: string[][],
  lanes: number,
  flags: string[] = [],
  endingMs = ENDING_MS,
): Promise<number> {
  const started = performance.now()
  const run = (files: string[]) => runGroup(files, flags, endingMs)
  const reports = (await Promise.all(takeTurns(groups, lanes, run))).flat()
  for (const count of COUNTS) {
    const sum = reports.reduce((total, { counts }) => total + (counts.get(count) ?? 0), 0)
    process.stdout.write(`ℹ ${count} ${sum}\n`)
  }
  process.stdout.write(`ℹ duration_ms ${Math.round(performance.now() - started)}\n`)
  const failing = reports.flatMap(({ failures }) => failures)
  if (failing.length > 0) process.stdout.write(`\n${FAILING}\n${failing.join('\n')}\n`)
  return Math.max(...reports.map(({ code }) => code))
}

type Report = { counts: Map<string, number>; failures: string[]; code: number }

/** Sound is heard beside all the others. One lane goes backwards, so that pages are drawn beside other work. */
function takeTurns(
  groups: string[][],
  lanes: number,
  run: (files: string[]) => Promise<Report>,
): Promise<Report[]>[] {
  const waiting = groups.filter((group) => !isHeard(group))
  async function lane(takeNext: () => string[] | undefined) {
    const reports: Report[] = []
    for (let group = takeNext(); group; group = takeNext()) reports.push(await run(group))
    return reports
  }
  const heard = groups.filter(isHeard).map(async (group) => [await run(group)])
  const forwards = Array.from({ length: lanes - 1 }, () => lane(() => waiting.shift()))
  return [...heard, ...forwards, lane(() => waiting.pop())]
}

async function runGroup(files: string[], flags: string[], endingMs: number): Promise<Report> {
  const child = spawn(
    'nice',
    [
      ...['-n', isHeard(files) ? '0' : '5', process.execPath],
      ...flags,
      NO_KEYS,
      ...['--import', new URL('./whole-suites.ts', import.meta.url).href],
      '--test',
      '--test-isolation=none',
      '--test-force-exit',
      '--test-reporter=spec',
      // A test that hangs is named, not waited for; on a machine with much else to do, starting a
      // service twenty times takes minutes.
      '--test-timeout=300000',
      ...files,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: {
        ...process.env,
        // As the services are started: threads and processes of the tests load the same modules again.
        NODE_COMPILE_CACHE: path.resolve('node_modules/.cache/node'),
        ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      },
    },
  )
  const report: Report = { counts: new Map(), failures: [], code: 0 }
  const told = () =>
    (report.counts.get('fail') ?? 1) + (report.counts.get('cancelled') ?? 1) > 0 ? 1 : 0
  let wasEnded = false
  const ended = new Promise<number>((resolve) =>
    child.on('close', (code) => resolve(wasEnded ? told() : (code ?? 1))),
  )
  let ending: NodeJS.Timeout | undefined
  let isFailing = false
  for await (const line of createInterface(child.stdout)) {
    const plain = stripVTControlCharacters(line)
    const [, count, number] = SUMMARY.exec(plain) ?? []
    if (count) report.counts.set(count, Number(number))
    if (count === 'duration_ms') {
      ending = setTimeout(() => {
        wasEnded = child.kill('SIGKILL')
      }, endingMs)
    }
    if (count) continue
    if (plain === FAILING) isFailing = true
    else if (isFailing) report.failures.push(line)
    else process.stdout.write(`${line}\n`)
  }
  report.code = await ended
  clearTimeout(ending)
  return report
}
