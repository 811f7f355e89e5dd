import type { Clock } from '../ports/clock.ts'
import type { OpenReader } from './nfc/keep-reader.ts'
import { connectPcsc } from './pcsc/connection.ts'
import type { ReaderState } from './pcsc/messages.ts'

export const PCSCD_SOCKET = '/run/pcscd/pcscd.comm'

export type PcscOptions = { socket: string; clock: Clock }

// pcscd itself looks at its readers every 400 ms.
const LOOK_EVERY_MS = 200

/**
 * The readers of pcscd, seen as one: a card on any of them counts. Without a native addon, which
 * would block the whole service when pcscd hangs.
 */
export async function openPcsc(
  { socket, clock }: PcscOptions,
  see: (uid: string | undefined) => void,
): Promise<OpenReader> {
  const pcscd = await connectPcsc(socket, clock)
  const { promise: unplugged, resolve: unplug } = Promise.withResolvers<string>()
  /** What was read of the card that each reader's count stands for. */
  const known = new Map<string, { events: number; uid: string | undefined }>()
  let endLooks = () => {}
  let isClosed = false

  const readers = await pcscd.readers()
  if (readers.length === 0) {
    pcscd.close()
    throw new Error('pcscd knows no reader')
  }
  const name = readers.map((reader) => reader.name).join(', ')

  async function uidOn({ name, events }: ReaderState): Promise<string | undefined> {
    const before = known.get(name)
    if (before?.events === events) return before.uid
    const uid = await pcscd.uid(name)
    known.set(name, { events, uid })
    return uid
  }

  async function look() {
    const states = await pcscd.readers()
    if (states.map((reader) => reader.name).join(', ') !== name) {
      return unplug(states.length === 0 ? `${name} was unplugged` : 'another reader was plugged in')
    }
    for (const state of states) {
      if (!state.hasCard) continue
      // Pulled while it was read, or in use by another program: not there for us, asked again.
      const uid = await uidOn(state).catch(() => undefined)
      if (uid !== undefined) return see(uid)
    }
    if (!isClosed) see(undefined)
  }

  async function keepLooking() {
    // A lost daemon is told by `ended`.
    await look().catch(() => {})
    if (!isClosed) endLooks = clock.after(LOOK_EVERY_MS, () => void keepLooking())
  }

  async function close() {
    isClosed = true
    endLooks()
    pcscd.close()
  }

  void keepLooking()
  return {
    adapter: 'pcsc',
    name,
    ended: Promise.race([pcscd.ended, unplugged]).then(async (reason) => {
      await close()
      return reason
    }),
    close,
  }
}
