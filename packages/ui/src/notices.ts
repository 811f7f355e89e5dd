import { signal } from '@preact/signals'

export type Notice = {
  id: number
  kind: 'done' | 'problem'
  text: string
  action?: { label: string; run(): void } | undefined
}

const SHOWN_MS = 6_000
// Of the time that a page stands still no more than this goes by: nobody reads a page that sleeps.
const BEAT_MS = 500
const MOST = 3

/** What is said for a few seconds about what was just done. */
export function createNotices(after: (ms: number, then: () => void) => void) {
  const list = signal<Notice[]>([])
  let last = 0
  const close = (id: number) => {
    list.value = list.value.filter((notice) => notice.id !== id)
  }
  function stay(id: number, ms: number) {
    if (!list.value.some((notice) => notice.id === id)) return
    if (ms <= 0) close(id)
    else after(BEAT_MS, () => stay(id, ms - BEAT_MS))
  }
  function add(notice: Omit<Notice, 'id'>) {
    last += 1
    const id = last
    // The same words twice are said once.
    const others = list.value.filter(({ text }) => text !== notice.text)
    list.value = [...others, { ...notice, id }].slice(-MOST)
    stay(id, SHOWN_MS)
  }
  return {
    list,
    close,
    done: (text: string, action?: Notice['action']) => add({ kind: 'done', text, action }),
    problem: (text: string) => add({ kind: 'problem', text }),
  }
}
