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

type Upload = { id: string; offset: number }

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
      const path = `${folder}/${name}`
      const begun = await api.post<Upload>('/library/uploads', { path, size: file.size })
      change(name, { state: 'sending' })
      let offset = begun.offset
      for (let failures = 0; offset < file.size; ) {
        try {
          const piece = file.slice(offset, offset + PIECE)
          offset = (await api.append<Upload>(`/library/uploads/${begun.id}`, piece, offset)).offset
          failures = 0
        } catch (error) {
          failures += 1
          if (!isPassing(error) || failures > TRIES) throw error
          await pause(failures)
          offset = (await api.get<Upload>(`/library/uploads/${begun.id}`)).offset
        }
        change(name, { part: offset / file.size })
      }
      change(name, { state: 'done', part: 1 })
    } catch (error) {
      if (error instanceof Declined) {
        list.value = list.value.filter((one) => one.name !== name)
      } else change(name, { state: 'failed', reason: (error as Error).message })
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

const isPassing = (error: unknown) =>
  error instanceof Unreachable || (error instanceof Refused && error.status === 429)
