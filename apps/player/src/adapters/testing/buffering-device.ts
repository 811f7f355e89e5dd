import { appendFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * A program that plays like `aplay` on a sound card: takes raw 16-bit stereo from its input, holds
 * half a second of it, starts when that is full, and stops when it runs dry, to count anew. What it
 * has let out is appended to the file named by its first argument; what it holds when it is killed
 * is not heard. Beside that file it tells how far it is, as the kernel does under `/proc/asound`.
 */
const [capture = '', ...options] = process.argv.slice(2)
const rate = Number(options[options.indexOf('-r') + 1])
const FRAME_BYTES = 4
const BUFFER_BYTES = Math.floor(rate * 0.5) * FRAME_BYTES

const card = join(dirname(capture), 'asound/card0/pcm0p/sub0')
mkdirSync(card, { recursive: true })

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
  }
  const due = Math.floor(((performance.now() - runningSince) * rate) / 1000) - played
  const bytes = Math.min(held.length, due * FRAME_BYTES)
  appendFileSync(capture, held.subarray(0, bytes))
  held = held.subarray(bytes)
  played += bytes / FRAME_BYTES
  fill()
  if (held.length > 0) return
  runningSince = undefined
  played = 0
  tell()
  if (!isOver) process.stderr.write('underrun!!! (at least 1.000 ms long)\n')
}

process.stdin.on('readable', fill)
process.stdin.on('end', () => {
  isOver = true
})
function tell() {
  const state = runningSince === undefined ? 'PREPARED' : 'RUNNING'
  const given = played + held.length / FRAME_BYTES
  const counts = `hw_ptr      : ${played}\nappl_ptr    : ${given}\n`
  const status = `state: ${state}\nowner_pid   : ${process.pid}\n${counts}`
  writeFileSync(`${card}/status.new`, status)
  renameSync(`${card}/status.new`, `${card}/status`)
}

setInterval(() => {
  play()
  tell()
  if (isOver && held.length === 0) process.exit()
}, 5)
tell()
