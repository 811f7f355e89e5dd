import { type ChildProcess, spawn } from 'node:child_process'
import { STARTS } from './lean.ts'
import { ensureServer } from './server.ts'
import { ensureWeb } from './web.ts'

/** `npm start`: both services, one banner when both answer, one Ctrl-C to end both. */
const SERVICES = ['player', 'soc'] as const
const banners = new Map<string, string[]>()
const children: ChildProcess[] = []
let stopping = false
let exitCode = 0

await ensureWeb()
const entries = { player: await ensureServer('player'), soc: await ensureServer('soc') }
for (const name of SERVICES) {
  // In a process group of its own: a Ctrl-C reaches this process, which passes it on once.
  const { flags, env } = STARTS[name]
  const child = spawn(process.execPath, [...flags, entries[name]], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: true,
  })
  children.push(child)
  child.on('message', (message: { ready: string; banner: string[] }) => {
    banners.set(message.ready, message.banner)
    if (banners.size === SERVICES.length) printBanner()
  })
  child.on('exit', (code) => {
    if (code !== 0) exitCode = 1
    // One without the other is not what was asked for.
    if (!stopping) stop()
    if (children.every((one) => one.exitCode !== null || one.signalCode !== null)) {
      process.exit(exitCode)
    }
  })
}

process.on('SIGINT', stop)
process.on('SIGTERM', stop)

function stop() {
  stopping = true
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
  }
}

function printBanner() {
  const lines = ['Manara is running', '', ...SERVICES.flatMap((name) => banners.get(name) ?? [])]
  const rule = '─'.repeat(Math.max(...lines.map((line) => line.length)))
  process.stdout.write(`\n${rule}\n${lines.join('\n')}\n\nCtrl-C stops both.\n${rule}\n\n`)
}
