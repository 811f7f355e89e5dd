import { connect } from 'node:net'
import type { Clock } from '../../ports/clock.ts'
import {
  COMMAND,
  connectRequest,
  decodeConnected,
  decodeStates,
  decodeTransmitted,
  header,
  numbers,
  type ReaderState,
  STATES_BYTES,
  transmitRequest,
  VERSION,
} from './messages.ts'

// pcscd answers in a millisecond; a card may take a second. One that hangs must not hang us.
const PATIENCE_MS = 3_000
/** "Give me the UID" of contactless readers (PC/SC part 3, 3.2.2.1.3). */
const GET_UID = Buffer.from([0xff, 0xca, 0x00, 0x00, 0x00])
const SCOPE_SYSTEM = 2

/** One client of pcscd, over its socket. One question at a time. */
export async function connectPcsc(path: string, clock: Clock) {
  const socket = connect(path)
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  let received: Buffer = Buffer.alloc(0)
  let waiting: { length: number; resolve(bytes: Buffer): void } | undefined

  socket.on('data', (bytes) => {
    received = Buffer.concat([received, bytes])
    deliver()
  })
  socket.on('error', (error: NodeJS.ErrnoException) => end(explain(path, error)))
  socket.on('close', () => end('pcscd has closed the connection'))

  function deliver() {
    if (!waiting || received.length < waiting.length) return
    const { length, resolve } = waiting
    waiting = undefined
    const bytes = received.subarray(0, length)
    received = received.subarray(length)
    resolve(bytes)
  }

  function close(reason: string) {
    end(reason)
    socket.destroy()
  }

  async function receive(length: number): Promise<Buffer> {
    const endPatience = clock.after(PATIENCE_MS, () => close('pcscd does not answer'))
    const answer = new Promise<Buffer>((resolve) => {
      waiting = { length, resolve }
      deliver()
    })
    try {
      return await Promise.race([answer, ended.then((reason) => Promise.reject(new Error(reason)))])
    } finally {
      endPatience()
    }
  }

  function ask(command: number, body: Buffer, replyLength = body.length): Promise<Buffer> {
    socket.write(Buffer.concat([header(command, body.length), body]))
    return receive(replyLength)
  }

  /** A daemon that refuses names the one version it speaks, and may be asked again. */
  async function agreeOnVersion(minor: number): Promise<void> {
    const reply = await ask(COMMAND.version, numbers(VERSION.major, minor, 0))
    if (reply.readUInt32LE(8) === 0) return
    const theirs = { major: reply.readUInt32LE(0), minor: reply.readUInt32LE(4) }
    // Later ones of the same major number have more commands; those used here are the same.
    if (theirs.major === VERSION.major && theirs.minor > minor) return agreeOnVersion(theirs.minor)
    throw new Error(
      `pcscd speaks protocol ${theirs.major}.${theirs.minor}, not ${VERSION.major}.${VERSION.minor}`,
    )
  }

  async function greet(): Promise<number> {
    await agreeOnVersion(VERSION.minor)
    const context = await ask(COMMAND.establishContext, numbers(SCOPE_SYSTEM, 0, 0))
    if (context.readUInt32LE(8) !== 0) throw new Error('pcscd does not let this user in (polkit)')
    return context.readUInt32LE(4)
  }

  async function transmit(card: number, protocol: number): Promise<Buffer> {
    const request = transmitRequest(card, protocol, GET_UID.length)
    socket.write(Buffer.concat([header(COMMAND.transmit, request.length), request, GET_UID]))
    const { length, result } = decodeTransmitted(await receive(request.length))
    if (result !== 0) throw new Error(`the card does not answer (${result.toString(16)})`)
    return receive(length)
  }

  let context: number
  try {
    context = await greet()
  } catch (error) {
    close('')
    throw error
  }

  return {
    ended,
    close: () => close('closed'),

    readers: async (): Promise<ReaderState[]> =>
      decodeStates(await ask(COMMAND.readerStates, Buffer.alloc(0), STATES_BYTES)),

    /** Undefined for a card that has none, such as one in a contact slot. Rejects when it has gone. */
    async uid(reader: string): Promise<string | undefined> {
      const connected = decodeConnected(await ask(COMMAND.connect, connectRequest(context, reader)))
      const { card, protocol, result } = connected
      if (result !== 0) throw new Error(`no contact with the card (${result.toString(16)})`)
      try {
        const answer = await transmit(card, protocol)
        // The last two bytes say how it went: 9000 is well.
        if (answer.length < 3 || answer.readUInt16BE(answer.length - 2) !== 0x9000) return undefined
        return answer.toString('hex', 0, answer.length - 2).toUpperCase()
      } finally {
        await ask(COMMAND.disconnect, numbers(card, 0, 0))
      }
    },
  }
}

function explain(path: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' || code === 'ECONNREFUSED') return `pcscd does not run (${path})`
  if (code === 'EACCES') return `this user may not talk to pcscd (${path})`
  return `pcscd: ${message}`
}
