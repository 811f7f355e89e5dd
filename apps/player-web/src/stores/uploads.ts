import { signal } from '@preact/signals'
import { type Api, Declined, Refused, Unreachable } from './api.ts'

export type Sending = {
  /** Where it goes on the card: files are called the same in the folder of every reciter. */
  path: string
  /** 0 to 1. */
  part: number
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Why it failed. */
  reason: Error | null
}

type Upload = { id: string; offset: number; state: string }

// Large, since each piece is one of the sixty changes that the box takes in ten seconds.
const PIECE = 4 * 1024 * 1024
// With the rests between them more than a minute: a box that starts anew is back by then.
const TRIES = 12
const LONGEST_REST_MS = 10_000

/** Files on their way to the card, one after the other; a broken connection goes on where it was. */
export function createUploads(api: Pick<Api, 'post' | 'get' | 'append' | 'remove'>, pause = rest) {
  const list = signal<Sending[]>([])
  let last: Promise<unknown> = Promise.resolve()

  const change = (path: string, next: Partial<Sending>) => {
    list.value = list.value.map((one) => (one.path === path ? { ...one, ...next } : one))
  }
  const isWanted = (path: string) => list.value.some((one) => one.path === path)
  const leaveOut = (path: string) => {
    list.value = list.value.filter((one) => one.path !== path)
  }

  async function send(file: File, path: string) {
    if (!isWanted(path)) return
    try {
      const begun = await announce(file, path)
      change(path, { state: 'sending' })
      const ended = await untilPlaced(file, path, begun)
      // Whoever sends it once more is told what was wrong with it.
      if (ended === 'gone') await sendAgain(file, path)
      change(path, { state: 'done', part: 1 })
    } catch (error) {
      if (error instanceof Declined) leaveOut(path)
      else change(path, { state: 'failed', reason: error as Error })
    }
  }

  async function announce({ size }: File, path: string) {
    for (let failures = 1; ; failures += 1) {
      try {
        return await api.post<Upload>('/library/uploads', { path, size })
      } catch (error) {
        if (!isAway(error) || failures > TRIES || !isWanted(path)) throw error
        await pause(failures)
      }
    }
  }

  /** The name was free when it was announced: if it is taken now, the file is in its place. */
  async function sendAgain(file: File, path: string) {
    const begun = await announce(file, path).catch((error) => {
      if (!isTaken(error)) throw error
    })
    if (begun && (await untilPlaced(file, path, begun)) === 'gone')
      throw new Unreachable('no answer')
  }

  /** Sends what the box has not, until it says that it is done. `gone`: it was whole, and its answer is lost. */
  async function untilPlaced(file: File, path: string, begun: Upload): Promise<'done' | 'gone'> {
    const address = `/library/uploads/${begun.id}`
    const look = () => api.get<Upload>(address)
    let known: Upload | undefined = begun
    let sent = 0
    let failures = 0
    for (;;) {
      if (!isWanted(path)) {
        // What has arrived must not take room on the card for a week.
        await api.remove(address)
        return 'done'
      }
      try {
        known ??= await look()
        if (known.offset < file.size) {
          const offset: number = known.offset
          const piece = file.slice(offset, offset + PIECE)
          sent = Math.max(sent, offset + piece.size)
          known = await api.append<Upload>(address, piece, offset)
          failures = 0
        } else if (known.state !== 'done') {
          await pause(1)
          known = await look()
        }
      } catch (error) {
        if (sent === file.size && isStatus(error, 404)) return 'gone'
        failures += 1
        if (!isPassing(error) || failures > TRIES) throw error
        known = undefined
        await pause(failures)
        continue
      }
      change(path, { part: known.offset / file.size })
      if (known.state === 'done') return 'done'
    }
  }

  return {
    list,
    add(files: readonly File[], folder: string) {
      for (const file of files) {
        const path = `${folder}/${file.name}`
        leaveOut(path)
        list.value = [...list.value, { path, part: 0, state: 'waiting', reason: null }]
        last = last.then(() => send(file, path))
      }
      return last
    },
    isBusy: () => list.value.some(({ state }) => state === 'waiting' || state === 'sending'),
    /** Not wanted after all; of what is on its way the piece that goes now is the last. */
    cancel: leaveOut,
  }
}

const rest = (failures: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, Math.min(1_000 * failures, LONGEST_REST_MS)))

const isStatus = (error: unknown, status: number) =>
  error instanceof Refused && error.status === status

const isTaken = (error: unknown) =>
  isStatus(error, 409) && (error as Refused).message.startsWith('path: is taken')

/** Small files are soon more than the box takes in ten seconds. */
const isAway = (error: unknown) => error instanceof Unreachable || isStatus(error, 429)

/** 409: the box still has the connection that broke. */
const isPassing = (error: unknown) => isAway(error) || (isStatus(error, 409) && !isTaken(error))
