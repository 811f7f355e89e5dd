import { signal } from '@preact/signals'
import { type Api, Declined, Refused, Unreachable } from './api.ts'

export type Sending = {
  name: string
  /** 0 to 1. */
  part: number
  state: 'waiting' | 'sending' | 'done' | 'failed'
  /** Why it failed, as the box says it. */
  reason: string
}

type Upload = { id: string; offset: number; state: string }

// Large, since each piece is one of the sixty changes that the box takes in ten seconds.
const PIECE = 4 * 1024 * 1024
const TRIES = 5

/** Files on their way to the card, one after the other; a broken connection goes on where it was. */
export function createUploads(api: Pick<Api, 'post' | 'get' | 'append'>, pause = rest) {
  const list = signal<Sending[]>([])
  let last: Promise<unknown> = Promise.resolve()

  const change = (name: string, next: Partial<Sending>) => {
    list.value = list.value.map((one) => (one.name === name ? { ...one, ...next } : one))
  }

  async function send(file: File, folder: string) {
    const name = file.name
    try {
      const begun = await announce(file, folder)
      change(name, { state: 'sending' })
      const ended = await untilPlaced(file, begun)
      // Whoever sends it once more is told what was wrong with it.
      if (ended === 'gone') await sendAgain(file, folder)
      change(name, { state: 'done', part: 1 })
    } catch (error) {
      if (error instanceof Declined) {
        list.value = list.value.filter((one) => one.name !== name)
      } else change(name, { state: 'failed', reason: (error as Error).message })
    }
  }

  const announce = ({ name, size }: File, folder: string) =>
    api.post<Upload>('/library/uploads', { path: `${folder}/${name}`, size })

  /** The name was free when it was announced: if it is taken now, the file is in its place. */
  async function sendAgain(file: File, folder: string) {
    const begun = await announce(file, folder).catch((error) => {
      if (!isTaken(error)) throw error
    })
    if (begun && (await untilPlaced(file, begun)) === 'gone') throw new Unreachable('no answer')
  }

  /** Sends what the box has not, until it says that it is done. `gone`: it was whole, and its answer is lost. */
  async function untilPlaced(file: File, begun: Upload): Promise<'done' | 'gone'> {
    const address = `/library/uploads/${begun.id}`
    const look = () => api.get<Upload>(address)
    let known: Upload | undefined = begun
    let sent = 0
    let failures = 0
    for (;;) {
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
      change(file.name, { part: known.offset / file.size })
      if (known.state === 'done') return 'done'
    }
  }

  return {
    list,
    add(files: readonly File[], folder: string) {
      const fresh = files.map(
        ({ name }): Sending => ({ name, part: 0, state: 'waiting', reason: '' }),
      )
      const names = new Set(fresh.map(({ name }) => name))
      list.value = [...list.value.filter(({ name }) => !names.has(name)), ...fresh]
      for (const file of files) last = last.then(() => send(file, folder))
      return last
    },
  }
}

const rest = (failures: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, 1_000 * failures))

const isStatus = (error: unknown, status: number) =>
  error instanceof Refused && error.status === status

const isTaken = (error: unknown) =>
  isStatus(error, 409) && (error as Refused).message.startsWith('path: is taken')

/** 409: the box still has the connection that broke. */
const isPassing = (error: unknown) =>
  error instanceof Unreachable || isStatus(error, 429) || (isStatus(error, 409) && !isTaken(error))
