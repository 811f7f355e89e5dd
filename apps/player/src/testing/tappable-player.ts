import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { mainOf, startProcess } from '@manara/kit/testing/service-process'
import { WebSocket } from 'ws'

const MAIN = mainOf('player')

// biome-ignore lint/suspicious/noExplicitAny: the shape is what tests are about
type Answer = any

/** The player as its owner starts it, with one short recitation and a reader. */
export async function startTappable(t: TestContext, nfc: string) {
  const root = mkdtempSync(path.join(tmpdir(), 'tap-'))
  const env = {
    PLAYER_HOST: '127.0.0.1',
    PLAYER_PORT: '0',
    PLAYER_TLS: 'off',
    PLAYER_DATA: path.join(root, 'data'),
    PLAYER_CARD: path.join(root, 'card'),
    PLAYER_AUDIO: 'embedded',
    PLAYER_SINK: 'null',
    PLAYER_NFC: nfc,
  }
  mkdirSync(path.join(env.PLAYER_CARD, 'Husary'), { recursive: true })
  writeFileSync(path.join(env.PLAYER_CARD, 'Husary/001.wav'), silence(60))
  const service = startProcess(MAIN, env)
  const sockets: WebSocket[] = []
  t.after(async () => {
    for (const socket of sockets) socket.terminate()
    await service.end('SIGKILL')
    rmSync(root, { recursive: true, force: true })
  })
  const [, address = ''] = await service.printed(/player {4}(http:\/\/\S+)/)
  const [, token] = await service.printed(/device token: (\w+)/)
  const live = new WebSocket(`${address.replace('http', 'ws')}/ws`)
  sockets.push(live)
  await new Promise((resolve) => live.once('message', resolve))

  return {
    env,
    /** What the socket says next under this name, of those that are waited for. */
    heard: (event: string, isIt: (data: Answer) => boolean = () => true) =>
      new Promise<Record<string, unknown>>((resolve) => {
        live.on('message', (bytes) => {
          const message = JSON.parse(bytes.toString())
          if (message.event === event && isIt(message.data)) resolve(message.data)
        })
      }),
    async call(route: string, body?: object) {
      const reply = await fetch(`${address}/api${route}`, {
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      })
      if (!reply.ok) throw new Error(await reply.text())
      return (await reply.json()) as Answer
    },
  }
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
