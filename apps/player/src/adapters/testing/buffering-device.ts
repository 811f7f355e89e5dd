import { appendFileSync } from 'node:fs'

/**
 * A program that plays like `aplay` on a sound card: takes raw 16-bit stereo from its input, holds
 * half a second of it, starts when that is full, and stops when it runs dry. What it has let out is
 * appended to the file named by its first argument; what it holds when it is killed is not heard.
 */
const [capture = '', ...options] = process.argv.slice(2)
const rate = Number(options[options.indexOf('-r') + 1])
const FRAME_BYTES = 4
const BUFFER_BYTES = Math.floor(rate * 0.5) * FRAME_BYTES

let held = Buffer.alloc(0)
let runningSince: number | undefined
let played = 0
let isOver = false

function fill() {
  const room = BUFFER_BYTES - held.length
  const bytes = room > 0 ? process.stdin.read(Math.min(room, process.stdin.readableLength)) : null
  if (bytes) held = Buffer.concat([held, bytes])
}

function play() {
  fill()
  if (runningSince === undefined) {
    if (held.length < BUFFER_BYTES && !(isOver && held.length > 0)) return
    runningSince = performance.now()
    played = 0
  }
  const due = Math.floor(((performance.now() - runningSince) * rate) / 1000) - played
  const bytes = Math.min(held.length, due * FRAME_BYTES)
  appendFileSync(capture, held.subarray(0, bytes))
  held = held.subarray(bytes)
  played += bytes / FRAME_BYTES
  fill()
  if (held.length > 0) return
  runningSince = undefined
  if (!isOver) process.stderr.write('underrun!!! (at least 1.000 ms long)\n')
}

process.stdin.on('readable', fill)
process.stdin.on('end', () => {
  isOver = true
})
setInterval(() => {
  play()
  if (isOver && held.length === 0) process.exit()
}, 5)
