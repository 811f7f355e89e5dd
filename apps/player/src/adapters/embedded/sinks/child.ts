import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createPace } from './pace.ts'
import type { Sink, SinkOptions } from './sink.ts'

/** Written ahead: long enough for a late timer, short enough that volume and pause act at once. */
const LEAD_S = 0.25
/** How much longer than its sound a program may take to end before it is taken for stuck. */
const DRAIN_SLACK_MS = 1000

const programs = {
  aplay: (rate: number) => ['-q', '-t', 'raw', '-f', 'S16_LE', '-c', '2', '-r', `${rate}`, '-'],
  'pw-cat': (rate: number) => [
    '--playback',
    '--raw',
    '--format=s16',
    '--channels=2',
    `--rate=${rate}`,
    '-',
  ],
}

/** A program that plays what it is sent. It ends with its input, so it never outlives the player. */
export function createChildSink(
  name: keyof typeof programs,
  { rate, events, command = name }: SinkOptions,
): Sink {
  const lead = Math.floor(rate * LEAD_S)
  const pace = createPace(rate, lead)
  const child = spawn(command, programs[name](rate), { stdio: ['pipe', 'ignore', 'pipe'] })
  let complaint = ''
  let over = false

  function fail(reason: string) {
    if (over) return
    over = true
    events.failed(new Error(`${name} ended: ${complaint || reason}`))
  }

  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => fail(signal ?? `exit code ${code}`))
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    if (/underrun/i.test(text)) events.underrun()
    else complaint = text.trim().split('\n').at(-1) ?? ''
  })

  return {
    wanted: pace.wanted,
    heard: pace.heard,
    written: pace.written,
    resumeClock: pace.resumeClock,
    write(samples) {
      pace.wrote(samples.length / 2)
      child.stdin.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))
    },
    async drain() {
      if (over) return
      over = true
      const left_ms = ((pace.written() - pace.heard()) / rate) * 1000
      const stuck = setTimeout(() => child.kill('SIGKILL'), left_ms + DRAIN_SLACK_MS)
      child.stdin.end()
      // A program that swallows faster than a device lets sound out does not shorten it.
      const heard = sleep(left_ms)
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      clearTimeout(stuck)
      await heard
    },
    close() {
      over = true
      child.kill('SIGKILL')
    },
  }
}
