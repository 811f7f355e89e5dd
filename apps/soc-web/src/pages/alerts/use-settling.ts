import type { AlertStatus } from '@manara/soc-contract/alerts'
import { useRef } from 'preact/hooks'
import { attempt, notices, reads } from '../../here.ts'
import type { Settled } from './queue.ts'
import { isSelected, type Selection, sizeOf } from './selection.ts'
import type { QueueRows } from './use-queue.ts'
import { useWords } from './words.ts'

type Settling = {
  queue: QueueRows['queue']
  /** How many rows everything that matches has. */
  shown: number
  /** Whether everything that matches is every alert there is. */
  isUnfiltered: boolean
  openId: string
  onChanged(): void
}

/** Changes of status, and the way back. */
export function useSettling({ queue, shown, isUnfiltered, openId, onChanged }: Settling) {
  const { w, count, number, fill, t } = useWords()
  /** What can be taken back, the last one last. */
  const done = useRef<Settled[]>([])
  /** The last change, while it is on its way. */
  const under = useRef<Promise<unknown>>(Promise.resolve())

  async function settle(chosen: Selection, status: AlertStatus) {
    if (sizeOf(chosen, shown) === 0) return
    if (chosen.kind === 'all' && isUnfiltered) return notices.problem(w.tooMany)
    const work = attempt(async () => {
      const named = t.status[status] ?? status
      const settled = await queue.settle(chosen, status, (n) =>
        notices.done(fill(w.soFar, { n: number(n), status: named })),
      )
      onChanged()
      if (openId && isSelected(chosen, openId)) void reads.renewOne(`/alerts/${openId}`)
      if (settled.updated === 0) return notices.done(fill(w.unchanged, { status: named }))
      done.current.push(settled)
      notices.done(count(w.changed, settled.updated, { status: named }), {
        ...{ label: t.undo, run: () => void undo(settled) },
      })
      if (settled.failure) throw settled.failure
    })
    under.current = work
    await work
  }

  /** Each change once, the last one first. */
  async function undo(chosen?: Settled) {
    if (!chosen) await under.current
    const settled = chosen ?? done.current.at(-1)
    if (!settled || !done.current.includes(settled)) return notices.done(w.nothingToUndo)
    done.current = done.current.filter((one) => one !== settled)
    const isDone = await attempt(async () => {
      await queue.undo(settled)
      notices.done(w.undone)
    })
    if (!isDone) done.current.push(settled)
    onChanged()
  }

  return { settle, undo }
}
