import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@manara/kit/testing/free-port'
import { mainOf, processFixture } from '@manara/kit/testing/service-process'

const MAIN = mainOf('player')

// biome-ignore lint/suspicious/noExplicitAny: the shape is what tests are about
type Answer = any

/** Recitations on the card by path, and how many seconds of silence each is. */
const CARD: Record<string, number> = {
  'Husary/001.wav': 60,
  'Husary/067.wav': 600,
  'Husary/112.wav': 2,
  'Husary/114.wav': 600,
  'Alafasy/036.wav': 60,
}

/** The player as its owner starts it, in front of a browser. */
export async function startBox(t: TestContext, more: Record<string, string> = {}) {
  const port = await freePort()
  const { env, start } = processFixture(t, MAIN, (folder) => ({
    PLAYER_HOST: '127.0.0.1',
    PLAYER_PORT: String(port),
    PLAYER_TLS: 'off',
    PLAYER_DATA: path.join(folder, 'data'),
    PLAYER_CARD: path.join(folder, 'card'),
    PLAYER_AUDIO: 'embedded',
    PLAYER_SINK: 'null',
    PLAYER_NFC: 'sim',
    PLAYER_CLOCK: 'host',
    PLAYER_MDNS: 'off',
    ...more,
  }))
  for (const [file, seconds] of Object.entries(CARD)) {
    const place = path.join(env.PLAYER_CARD, file)
    mkdirSync(path.dirname(place), { recursive: true })
    writeFileSync(place, silence(seconds))
  }
  let service = start()
  const [, address = ''] = await service.printed(/player {4}(https?:\/\/\S+)/)
  const [, token = ''] = await service.printed(/device token: (\w+)/)

  async function call(route: string, body?: object, method = body ? 'POST' : 'GET') {
    const reply = await fetch(`${address}/api${route}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!reply.ok) throw new Error(`${route}: ${await reply.text()}`)
    return (await reply.json()) as Answer
  }

  return {
    address,
    token,
    env,
    /** From now on it takes connections and answers nothing, as a box that is far away or hangs. */
    freeze: () => service.child.kill('SIGSTOP'),
    thaw: () => service.child.kill('SIGCONT'),
    /** The service dies without a word. */
    kill: () => service.end('SIGKILL'),
    /** And comes back where it was. */
    async restart() {
      service = start()
      await service.printed(/player {4}(https?:\/\/\S+)/)
    },
    /** Resolves when it has started anew by itself. */
    renewed: () => service.printed(/starting anew.+listening at/is),
    call,
    /** What a page shows at once reaches the box a moment later. */
    async becomes(route: string, isSo: (answer: Answer) => boolean) {
      const patience = Date.now() + 120_000
      for (let answer = await call(route); !isSo(answer); answer = await call(route)) {
        if (Date.now() > patience) assert.fail(`${route} stays ${JSON.stringify(answer)}`)
        await pause(20)
      }
    },
  }
}

/** A verse of surah 112 as a file of its own. */
export function putVerse(card: string, reciter: string, verse: number, seconds = 4) {
  const place = path.join(card, reciter, '112', `${verse}.wav`)
  mkdirSync(path.dirname(place), { recursive: true })
  writeFileSync(place, silence(seconds))
}

/** A WAV file, 8 kHz, 8 bit, mono. */
function silence(seconds: number): Buffer {
  const length = seconds * 8_000
  const header = Buffer.from(
    '524946460000000057415645666d74201000000001000100401f0000401f0000010008006461746100000000',
    'hex',
  )
  header.writeUInt32LE(36 + length, 4)
  header.writeUInt32LE(length, 40)
  return Buffer.concat([header, Buffer.alloc(length, 128)])
}
