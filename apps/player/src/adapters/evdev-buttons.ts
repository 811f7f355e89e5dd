import { type ChildProcess, spawn } from 'node:child_process'
import type { Buttons } from '../ports/buttons.ts'
import type { Clock } from '../ports/clock.ts'
import { createInputReader } from './evdev/input-event.ts'

const LOOK_AGAIN_MS = 5_000

/**
 * Input devices of the kernel. `cat` holds each one open: reading it here would take one of Node's few
 * threads for good, since such a read has no end and cannot be called off.
 */
export function createEvdevButtons({
  devices,
  clock,
}: {
  devices: Iterable<string>
  clock: Clock
}): Buttons {
  const open = new Set<ChildProcess>()
  const timers = new Set<() => void>()
  const lost = new Map<string, string>()
  let isRunning = false

  return {
    start(listener, onProblem) {
      isRunning = true
      const report = () => onProblem([...lost.values()][0])

      function read(device: string) {
        if (!isRunning) return
        const events = createInputReader()
        const child = spawn('cat', ['--', device], { stdio: ['ignore', 'pipe', 'pipe'] })
        let complaint = ''
        open.add(child)
        child.stdout.on('data', (bytes: Buffer) => {
          if (lost.delete(device)) report()
          for (const event of events(bytes)) listener(device, event)
        })
        child.stderr.on('data', (bytes: Buffer) => {
          complaint = String(bytes).trim().split(': ').at(-1) ?? ''
        })
        child.on('error', (error) => {
          complaint = error.message
        })
        child.on('close', () => {
          open.delete(child)
          if (!isRunning) return
          lost.set(device, `${device}: ${complaint || 'was unplugged'}`)
          report()
          const end = clock.after(LOOK_AGAIN_MS, () => {
            timers.delete(end)
            read(device)
          })
          timers.add(end)
        })
      }

      for (const device of devices) read(device)
    },

    stop() {
      isRunning = false
      for (const end of timers) end()
      timers.clear()
      for (const child of open) child.kill()
    },
  }
}
