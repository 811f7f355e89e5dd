import type { LongListHandle } from '@manara/ui/parts/long-list'
import { useSignal } from '@preact/signals'
import { useEffect, useMemo, useRef } from 'preact/hooks'
import { api, isBack, now, onLive, session } from '../../here.ts'
import { createQueue } from './queue.ts'
import { NONE } from './selection.ts'

type Queue = ReturnType<typeof createQueue>

/** Queues that were left, with the row that had the keyboard: Back finds them as they were. */
const left = new Map<string, { queue: Queue; focus: number }>()
const MOST_LEFT = 5

export type QueueRows = ReturnType<typeof useQueue>

/** The alerts of a filter, as text, kept up with what happens; the keyboard stays on its row. */
export function useQueue(asked: string, isOpen: boolean) {
  const list = useRef<LongListHandle>(null)
  const focus = useSignal(0)
  const found = useMemo(
    () =>
      (isBack() && left.get(asked)) || {
        queue: createQueue(api, JSON.parse(asked), now),
        focus: 0,
      },
    [asked],
  )
  const { queue } = found
  /** Somebody goes over the rows: nothing moves under their hands any more. */
  const isUsed = useRef(false)

  useEffect(() => {
    const isKept = left.delete(asked) && queue.isLoaded.value
    focus.value = found.focus
    isUsed.current = found.focus > 0
    if (isUsed.current) list.current?.reveal(found.focus)
    else list.current?.toTop()
    if (isKept) {
      // What has come and what has changed since.
      for (const event of ['ready', 'reset']) queue.hear({ event, data: {} }, false)
    }
    return () => {
      left.set(asked, { queue, focus: focus.value })
      for (const first of [...left.keys()].slice(0, -MOST_LEFT)) left.delete(first)
    }
  }, [found])
  useEffect(() => {
    const before = queue.anew.value
    return queue.anew.subscribe((times) => {
      if (times === before) return
      focus.value = 0
      list.current?.toTop()
    })
  }, [queue])
  useEffect(
    () =>
      onLive((event) => {
        const before = queue.head.value.length
        const isFree = !isOpen && !isUsed.current && queue.selection.value === NONE
        const isWatched = list.current?.isAtTop() === true && !list.current.isPointedAt()
        queue.hear(event, isFree && isWatched)
        focus.value += Math.max(0, queue.head.value.length - before)
      }),
    [queue, isOpen],
  )
  const canRead = session.canRead.value
  useEffect(() => {
    if (canRead) queue.again()
  }, [queue, canRead])

  function showNew() {
    queue.showWaiting()
    list.current?.toTop()
    focus.value = 0
    isUsed.current = false
  }
  return { queue, list, focus, isUsed, showNew }
}
