import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import path from 'node:path'
import { freePort } from '@manara/kit/testing/free-port'

/** The answer to reset of a contactless storage card, as readers make it up for pcscd. */
const ATR = Buffer.from('3B8F8001804F0CA0000003060300030000000068', 'hex')
const UNKNOWN = Buffer.from([0x6d, 0x00])
const DRIVER = '/usr/lib/pcsc/drivers/serial/libifdvpcd.so'

/**
 * The real pcscd with one virtual reader, and a card for it. Where the machine lets us, it runs with
 * a /run of its own, so that a pcscd that is in use stays in use.
 */
export async function startVirtualPcscd(folder: string) {
  const port = await freePort()
  const hex = port.toString(16)
  writeFileSync(
    path.join(folder, 'vpcd'),
    `FRIENDLYNAME "Virtual PCD"\nDEVICENAME /dev/null:0x${hex}\nLIBPATH ${DRIVER}\nCHANNELID 0x${hex}\n`,
  )
  const env = { PATH: `${process.env.PATH}:/usr/sbin:/sbin` }
  const isApart = spawnSync('unshare', ['-rm', 'true'], { env }).status === 0
  let daemon: ChildProcess | undefined
  let card: Socket | undefined

  function start() {
    const [command, ...args] = isApart
      ? ['unshare', '-rm', 'sh', '-c', 'mount -t tmpfs run /run && exec pcscd -f -c "$0"', folder]
      : ['pcscd', '-f', '-c', folder]
    daemon = spawn(command as string, args, { env, stdio: 'ignore' })
  }

  async function stop() {
    card?.destroy()
    if (!daemon || daemon.exitCode !== null || daemon.signalCode !== null) return
    daemon.kill('SIGKILL')
    await once(daemon, 'close')
  }

  start()
  return {
    start,
    stop,
    /** As seen from here; another one after each start. */
    socket: () => `${isApart ? `/proc/${daemon?.pid}/root` : ''}/run/pcscd/pcscd.comm`,
    signal: (name: NodeJS.Signals) => daemon?.kill(name),
    /** Resolves when the card was asked for its UID. Undefined: it has none, as in a contact slot. */
    put: (uid: string | undefined) =>
      new Promise<void>((asked) => {
        card?.destroy()
        card = virtualCard(port, uid === undefined ? undefined : Buffer.from(uid, 'hex'), asked)
      }),
    lift: () => card?.destroy(),
  }
}

/** Commands of one byte are the reader's (4 asks for the ATR), the longer ones are for the card. */
function virtualCard(port: number, uid: Buffer | undefined, onAsked: () => void): Socket {
  const socket = connect(port, '127.0.0.1')
  let buffer = Buffer.alloc(0)
  const send = (bytes: Buffer) => {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(bytes.length)
    socket.write(Buffer.concat([length, bytes]))
  }
  socket.on('error', () => socket.destroy())
  socket.on('data', (bytes) => {
    buffer = Buffer.concat([buffer, bytes])
    while (buffer.length >= 2 && buffer.length >= 2 + buffer.readUInt16BE(0)) {
      const message = buffer.subarray(2, 2 + buffer.readUInt16BE(0))
      buffer = buffer.subarray(2 + message.length)
      if (message.length === 1) {
        if (message[0] === 4) send(ATR)
        continue
      }
      const isForUid = message.toString('hex') === 'ffca000000'
      send(uid && isForUid ? Buffer.concat([uid, Buffer.from([0x90, 0x00])]) : UNKNOWN)
      if (isForUid) onAsked()
    }
  })
  return socket
}
