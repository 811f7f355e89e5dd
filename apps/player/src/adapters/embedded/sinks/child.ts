import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAlsaPosition } from './alsa-position.ts'
import { createPace, type Leads } from './pace.ts'
import type { Sink, SinkOptions } from './sink.ts'

/**
 * Sound is written ahead for long enough that a late timer is not heard, and so little that volume
 * and pause act soon. `aplay` starts when its buffer of half a second is full.
 */
const LEADS: Leads = { sound_s: 0.25, silence_s: 0.15, start_s: 0.6 }
/** How much longer than its sound a program may take to end before it is taken for stuck. */
const FINISH_SLACK_MS = 2000
/** So much that a program has not taken: its device is stuck, or it waits for one that is not there. */
const STUCK_S = 5
/**
 * How often the card is asked how far it is: often until it has begun, then now and again, since the
 * clocks of a card and of the machine drift apart by a second in some hours.
 */
const LOOK_MS = { first: 40, later: 500 }
const FIRST_LOOKS = 50

/** `target` is the device or node, when it is not to be the usual one. */
const programs = {
  // Its own choice of periods is an eighth of a second, which it would hold back from the card.
  aplay: (rate: number, target?: string) => [
    ...(target ? ['-D', target] : []),
    ...`-q -t raw -f S16_LE -c 2 -r ${rate} --buffer-time=500000 --period-time=25000 -`.split(' '),
  ],
  'pw-cat': (rate: number, target?: string) => [
    ...(target ? ['--target', target] : []),
    ...`--playback --raw --format=s16 --channels=2 --rate=${rate} -`.split(' '),
  ],
}

/** A program that plays what it is sent. It ends with its input, so it never outlives the player. */
export function createChildSink(
  name: keyof typeof programs,
  { rate, events, command = name, asound }: SinkOptions,
  target?: string,
): Sink {
  const pace = createPace(rate, LEADS)
  const child = spawn(command, programs[name](rate, target), { stdio: ['pipe', 'ignore', 'pipe'] })
  const devicePosition = createAlsaPosition(child.pid ?? 0, rate, asound)
  /** Where the card began to count: it counts anew when it has run dry. */
  let countsFrom = 0
  let lookedAt = 0
  let looks = 0
  let complaint = ''
  let over = false

  function fail(reason: string) {
    if (over) return
    over = true
    events.failed(new Error(`${name} ended: ${complaint || reason}`))
  }

  function onText(text: string) {
    if (!/underrun/i.test(text)) {
      complaint = text.trim().split('\n').at(-1) ?? ''
      return
    }
    countsFrom = pace.written()
    looks = 0
    pace.restart()
    events.underrun()
  }

  /** Frames that wait to be taken. */
  const waiting = () => child.stdin.writableLength / 4

  function look() {
    const wait_ms = looks < FIRST_LOOKS ? LOOK_MS.first : LOOK_MS.later
    if (performance.now() - lookedAt < wait_ms) return
    lookedAt = performance.now()
    looks += 1
    const device = devicePosition()
    if (!device) return
    // What is still on its way to the card will be counted too.
    countsFrom = Math.min(countsFrom, pace.written() - device.given)
    pace.correct(countsFrom + device.played)
  }

  child.on('error', (error) => fail(error.message))
  child.on('exit', (code, signal) => fail(signal ?? `exit code ${code}`))
  child.stdin.on('error', () => {})
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', onText)

  return {
    rate,
    lead: pace.lead,
    // What was not even taken cannot have been heard.
    heard: () => Math.max(0, Math.min(pace.heard(), Math.floor(pace.written() - waiting()))),
    written: pace.written,
    isDry: pace.isDry,
    resumeClock: pace.resumeClock,
    wanted(isSound) {
      look()
      if (waiting() > rate * STUCK_S) fail('it takes no sound')
      return over ? 0 : pace.wanted(isSound)
    },
    write(samples) {
      pace.wrote(samples.length / 2)
      child.stdin.write(Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength))
    },
    async finish() {
      if (over) return
      over = true
      const left_ms = ((pace.written() - pace.heard()) / rate) * 1000
      const stuck = setTimeout(() => child.kill('SIGKILL'), left_ms + FINISH_SLACK_MS)
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
