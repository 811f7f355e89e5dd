import type { Clock } from '../ports/clock.ts'
import type { OpenReader } from './nfc/keep-reader.ts'
import { createChip } from './pn532/chip.ts'
import { openSerialLine } from './pn532/serial-line.ts'
import type { RunCommand } from './run-command.ts'

export type Pn532Options = { path: string; clock: Clock; run: RunCommand }

// Fast enough that a short tap is not missed, slow enough to leave the line to others half the time.
const LOOK_EVERY_MS = 150
const MISSES = 3

/** A PN532 module on a serial device, UART or USB. */
export async function openPn532(
  { path, clock, run }: Pn532Options,
  see: (uid: string | undefined) => void,
): Promise<OpenReader> {
  const line = await openSerialLine(path, run)
  const { promise: ended, resolve: end } = Promise.withResolvers<string>()
  const { promise: closed, resolve: markClosed } = Promise.withResolvers<void>()
  const chip = createChip(line)
  let endLooks = () => {}
  let misses = 0

  line.on('error', () => line.destroy())
  line.on('end', () => line.destroy())
  line.on('close', () => {
    endLooks()
    end(`the PN532 on ${path} was unplugged`)
    markClosed()
  })

  async function look() {
    try {
      see(await chip.look())
      misses = 0
    } catch (error) {
      misses += 1
      if (misses === MISSES) {
        end(`${(error as Error).message} on ${path} any more`)
        line.destroy()
      }
    }
    if (!line.destroyed) endLooks = clock.after(LOOK_EVERY_MS, () => void look())
  }

  async function close() {
    line.destroy()
    await closed
  }

  try {
    const version = await chip.wake()
    void look()
    return { adapter: 'pn532', name: `PN532 ${version} on ${path}`, ended, close }
  } catch (error) {
    await close()
    throw new Error(`${path}: ${(error as Error).message}`)
  }
}
