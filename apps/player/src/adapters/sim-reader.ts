import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import { CardUid } from '@manara/player-contract/cards'
import type { Clock } from '../ports/clock.ts'
import type { OpenReader } from './nfc/keep-reader.ts'

export type SimOptions = { dataDir: string; clock: Clock }

export const simSocket = (dataDir: string) => path.join(dataDir, 'nfc.sock')

const LONGEST_S = 86_400
const LONGEST_LINE = 200

/**
 * A reader without hardware: `npm run player:tap` puts a card on it and lifts it again. Each
 * connection sends one line, `UID seconds`, and gets one line back.
 */
export async function openSim(
  { dataDir, clock }: SimOptions,
  see: (uid: string | undefined) => void,
): Promise<OpenReader> {
  const file = simSocket(dataDir)
  let endLift = () => {}
  const sockets = new Set<Socket>()

  function obey(line: string): string {
    const [digits = '', seconds = '1', ...rest] = line.trim().split(/\s+/)
    const { data: uid, error } = CardUid.safeParse(digits)
    if (uid === undefined) return `error: uid: ${error.issues[0]?.message}`
    if (rest.length > 0 || !/^\d+(\.\d+)?$/.test(seconds) || Number(seconds) > LONGEST_S) {
      return `error: seconds: must be a number up to ${LONGEST_S}`
    }
    endLift()
    see(uid)
    endLift = clock.after(Number(seconds) * 1000, () => see(undefined))
    return `card ${uid} lies on the reader for ${seconds} s`
  }

  const server = createServer((socket) => {
    sockets.add(socket)
    let text = ''
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
    socket.on('data', (part: string) => {
      text += part
      if (text.includes('\n')) socket.end(`${obey(text.split('\n')[0] ?? '')}\n`)
      else if (text.length > LONGEST_LINE) socket.destroy()
    })
  })
  // A power cut leaves the name behind; the data directory is ours alone, so nobody listens there.
  rmSync(file, { force: true })
  server.listen(file)
  await once(server, 'listening')
  chmodSync(file, 0o600)
  see(undefined)

  return {
    adapter: 'sim',
    name: `simulated, driven through ${file}`,
    // It has no cable that could be pulled.
    ended: new Promise(() => {}),
    async close() {
      endLift()
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
