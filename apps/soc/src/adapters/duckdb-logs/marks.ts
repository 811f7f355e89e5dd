import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import path from 'node:path'
import type { Segment } from './segments.ts'

/** What a partition held when its last events were acknowledged. */
export type Mark = { events: number; seg: number; minAt: number; maxAt: number }

const SIZE = 256

/**
 * A small file beside each partition that is written before events are acknowledged. A partition
 * that holds fewer events than its mark says has lost some: a log that was cut short at the right
 * place looks whole by itself. It is not synced, so after a power cut it may say too little, never
 * too much.
 */
export function createMarks(directory: string) {
  const open = new Map<string, number>()
  const fileOf = (name: string) => path.join(directory, `${name}.mark`)

  return {
    /** Always of one size and in its place, so that it needs no room on a full disk. */
    write(name: string, mark: Mark) {
      let file = open.get(name)
      if (file === undefined) {
        file = openSync(fileOf(name), 'a+', 0o600)
        closeSync(file)
        file = openSync(fileOf(name), 'r+')
        open.set(name, file)
      }
      writeSync(
        file,
        JSON.stringify(mark)
          .padEnd(SIZE - 1)
          .concat('\n'),
        0,
      )
    },
    /** Nothing when there is none, or none that can be read. */
    read(name: string): Mark | undefined {
      try {
        const mark = JSON.parse(readFileSync(fileOf(name), 'utf8')) as Mark
        return Number.isSafeInteger(mark.events) ? mark : undefined
      } catch {
        return undefined
      }
    },
    names: () =>
      readdirSync(directory).flatMap((file) => (file.endsWith('.mark') ? file.slice(0, -5) : [])),
    remove(name: string) {
      const file = open.get(name)
      if (file !== undefined) closeSync(file)
      open.delete(name)
      rmSync(fileOf(name), { force: true })
    },
    close() {
      for (const file of open.values()) closeSync(file)
      open.clear()
    },
  }
}

export type Marks = ReturnType<typeof createMarks>

export function markOf(segments: readonly Segment[]): Mark {
  const mark: Mark = { events: 0, seg: -1, minAt: Number.MAX_SAFE_INTEGER, maxAt: 0 }
  for (const { events, seg, minAt, maxAt } of segments) {
    mark.events += events
    mark.seg = Math.max(mark.seg, seg)
    mark.minAt = Math.min(mark.minAt, minAt)
    mark.maxAt = Math.max(mark.maxAt, maxAt)
  }
  return mark
}
