import { on } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { WebSocket } from 'ws'
import { findMp3Frame } from '../packages/audio-headers/src/mp3-header.ts'
import { startProcess } from '../packages/kit/src/testing/service-process.ts'
import { STARTS } from '../scripts/lean.ts'
import { ensureServer } from '../scripts/server.ts'
import { hasMpd, startMpd } from './mpd.ts'

export const name = 'playback: command to sound, event fan-out, memory'

// One window of the playback class: the limit is part of the product, so it is measured with it.
const COMMANDS = 18
const CLIENTS = 100
const RSS_LIMIT_MB = 110
const MEDIA = fileURLToPath(new URL('../apps/player/src/adapters/testing/media/', import.meta.url))

export async function run(print: (line: string) => void): Promise<boolean> {
  const root = mkdtempSync(path.join(tmpdir(), 'manara-playback-'))
  const card = path.join(root, 'card', 'Husary')
  mkdirSync(card, { recursive: true })
  for (const surah of ['001', '002'])
    writeFileSync(path.join(card, `${surah}.mp3`), longRecording())
  const player = startProcess(
    pathToFileURL(await ensureServer('player')),
    {
      PLAYER_PORT: '0',
      PLAYER_TLS: 'off',
      PLAYER_DATA: path.join(root, 'data'),
      PLAYER_CARD: path.join(root, 'card'),
      PLAYER_AUDIO: 'embedded',
      PLAYER_SINK: 'null',
      ...STARTS.player.env,
    },
    STARTS.player.flags,
  )
  try {
    const [, address = ''] = await player.printed(/player {4}(http\S+)/)
    const [, token = ''] = await player.printed(/device token: (\w+)/)
    const post = postTo(address, token)

    const ours = await sample(COMMANDS, (n) =>
      post('/playback/play', { path: `Husary/00${(n % 2) + 1}.mp3` }),
    )
    const rss = rssOf(player.child.pid ?? 0)
    print(`play command to sound: ${describe(ours)}`)
    await besideMpd(root, ours, print)
    print(
      `memory while playing: ${rss.toFixed(0)} MB, ${(rss / RSS_LIMIT_MB).toFixed(2)} of ${RSS_LIMIT_MB} MB`,
    )

    await wait(10_000)
    const later = rssOf(player.child.pid ?? 0)
    print(`memory 10 s later: ${later.toFixed(0)} MB`)
    print(`one event to ${CLIENTS} clients: ${describe(await fanOut(address, post))}`)
    return Math.max(rss, later) <= RSS_LIMIT_MB
  } finally {
    await player.end('SIGTERM')
    rmSync(root, { recursive: true, force: true })
  }
}

/** Lasts longer than the benchmark: the frames of a short one, over and over. */
function longRecording(): Buffer {
  const short = readFileSync(path.join(MEDIA, 'sweep-vbr-stereo.mp3'))
  // The first frame tells how long the short one is.
  const frames = short.subarray(findMp3Frame(short, 4))
  return Buffer.concat(Array.from({ length: 200 }, () => frames))
}

const postTo = (address: string, token: string) => async (route: string, body: object) => {
  const reply = await fetch(`${address}/api${route}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  })
  if (!reply.ok) throw new Error(await reply.text())
  await reply.arrayBuffer()
}

async function sample(times: number, run: (n: number) => Promise<void>): Promise<number[]> {
  const taken: number[] = []
  for (let n = 0; n < times; n += 1) {
    const startedAt = performance.now()
    await run(n)
    taken.push(performance.now() - startedAt)
  }
  return taken.sort((a, b) => a - b)
}

const median = (taken: number[]) => taken[Math.floor(taken.length / 2)] ?? 0
const describe = (taken: number[]) =>
  `median ${median(taken).toFixed(1)} ms, slowest ${(taken.at(-1) ?? 0).toFixed(1)} ms of ${taken.length}`

/** `play` as its protocol has it, until its status says that it plays. */
async function besideMpd(root: string, ours: number[], print: (line: string) => void) {
  if (!hasMpd()) return print('peer left out: there is no mpd here')
  const folder = path.join(root, 'peer')
  mkdirSync(folder)
  const mpd = await startMpd(folder)
  try {
    for (const surah of ['001', '002']) {
      copyFileSync(
        path.join(MEDIA, 'sweep-vbr-stereo.mp3'),
        path.join(folder, `music/${surah}.mp3`),
      )
    }
    await mpd.update()
    await mpd.ask('add 001.mp3')
    await mpd.ask('add 002.mp3')
    const theirs = await sample(COMMANDS, async (n) => {
      await mpd.ask(`play ${n % 2}`)
      while (!/^elapsed: /m.test(await mpd.ask('status'))) await mpd.ask('idle player')
    })
    print(`mpd play to its status: ${describe(theirs)}`)
    print(`ours beside mpd: ${(median(ours) / median(theirs)).toFixed(2)}`)
  } finally {
    await mpd.stop()
  }
}

async function fanOut(
  address: string,
  post: (route: string, body: object) => Promise<void>,
): Promise<number[]> {
  const sockets = await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`)
      await heard(socket, 'snapshot')
      return socket
    }),
  )
  try {
    return await sample(COMMANDS, async (n) => {
      const all = Promise.all(sockets.map((socket) => heard(socket, 'volume')))
      await post('/playback/volume', { volume: n })
      await all
    })
  } finally {
    for (const socket of sockets) socket.terminate()
  }
}

async function heard(socket: WebSocket, event: string): Promise<void> {
  for await (const [raw] of on(socket, 'message')) {
    if (JSON.parse(String(raw)).event === event) return
  }
}

function rssOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
