import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type Bundled, bundleOf, isBundleCurrent } from '../bundle.ts'
import { STRAY } from '../service.ts'

const CHECKOUT = new URL('../../../../', import.meta.url)
const mains = new Map<Bundled, URL>()

/**
 * The main file that the owner of a service starts: its bundle, which starts in two thirds of the
 * time. Where that is not of these sources (`npm test` and `npm start` make it) it is the sources.
 */
export function mainOf(service: Bundled): URL {
  const known = mains.get(service)
  if (known) return known
  const isBuilt = isBundleCurrent(service, fileURLToPath(CHECKOUT))
  const main = new URL(
    isBuilt ? `${bundleOf(service)}/main.js` : `apps/${service}/src/main.ts`,
    CHECKOUT,
  )
  mains.set(service, main)
  return main
}

export type ServiceProcess = {
  child: ChildProcess
  /** Resolves with the match once standard output holds it; rejects when the process ends first. */
  printed(pattern: RegExp): Promise<RegExpMatchArray>
  output(): string
  /** Sends the signal and resolves with how the process ended. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>
  /** Children of the process right now. */
  children(): number[]
}

/** A service as its owner starts it: its main file under Node, set up by the environment. */
export function startProcess(
  main: URL,
  env: Record<string, string>,
  flags: string[] = [],
  words: string[] = [],
): ServiceProcess {
  const child = spawn(process.execPath, [...flags, fileURLToPath(main), ...words], {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const looks = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      for (const look of looks) look()
    })
  }
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal }))

  return {
    child,
    ended,
    output: () => output,
    printed: (pattern) =>
      new Promise((resolve, reject) => {
        const look = () => {
          const match = output.match(pattern)
          if (!match) return
          looks.delete(look)
          resolve(match)
        }
        looks.add(look)
        look()
        void ended.then(() => reject(new Error(`ended before it printed ${pattern}: ${output}`)))
      }),
    async end(signal) {
      child.kill(signal)
      return ended
    },
    children: () => childrenOf(child.pid ?? 0),
  }
}

/** What the engines and the runtime end a process with when they find themselves broken. */
const CRASHES = ['SIGABRT', 'SIGBUS', 'SIGILL', 'SIGSEGV', 'SIGTRAP']

/** A service with a folder of its own; what it started, and the folder, are gone after the test. */
export function processFixture<Settings extends Record<string, string>>(
  t: Pick<TestContext, 'after'>,
  main: URL,
  settings: (folder: string) => Settings,
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'service-'))
  const env = settings(folder)
  const started: ServiceProcess[] = []
  t.after(async () => {
    const ends = await Promise.all(started.map((one) => one.end('SIGTERM')))
    rmSync(folder, { recursive: true, force: true })
    for (const [at, one] of started.entries()) {
      assert(!CRASHES.includes(ends[at]?.signal ?? ''), one.output())
      assert(!one.output().includes(STRAY), one.output())
    }
  })
  return {
    env,
    start(more: Record<string, string> = {}) {
      const service = startProcess(main, { ...env, ...more })
      started.push(service)
      return service
    },
  }
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
  return text.split(' ').filter(Boolean).map(Number)
}

/** Resolves when the kernel has ended the process; a zombie that nobody has collected counts as ended. */
export async function untilGone(pid: number): Promise<void> {
  while (isRunning(pid)) await setTimeout(20)
}

export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}
