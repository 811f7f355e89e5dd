import { signal } from '@preact/signals'

/** What tails of one browser tell each other. */
export type TurnWord = { kind: 'wants' | 'leaves'; from: string; since: number }

type TurnsDeps = {
  /** Tells tails apart. */
  id: string
  post(word: TurnWord): void
  now(): number
  after(ms: number, then: () => void): () => void
}

/** Browsers have six lines to a service for all windows: half of them are left to everything else. */
const MOST = 3
const EVERY_MS = 2_000
/** So long without a word, and a tail is gone with its window. */
const SILENCE_MS = 7_000

/** Whose turn it is to follow the logs: the oldest tails go on, a later one waits until one is over. */
export function createTurns({ id, post, now, after }: TurnsDeps) {
  const isOurs = signal(true)
  const others = new Map<string, { since: number; heardAt: number }>()
  let since: number | null = null
  let rest = () => {}

  function count() {
    const mine = since
    if (mine === null) return
    for (const [from, { heardAt }] of others) {
      if (now() - heardAt > SILENCE_MS) others.delete(from)
    }
    const older = [...others].filter(
      ([from, one]) => one.since < mine || (one.since === mine && from < id),
    )
    isOurs.value = older.length < MOST
  }

  function look() {
    if (since === null) return
    post({ kind: 'wants', from: id, since })
    count()
    rest = after(EVERY_MS, look)
  }

  return {
    isOurs,
    start() {
      since = now()
      look()
    },
    stop() {
      if (since === null) return
      rest()
      post({ kind: 'leaves', from: id, since })
      since = null
    },
    told({ kind, from, since: theirs }: TurnWord) {
      const isNew = !others.has(from)
      if (kind === 'leaves') others.delete(from)
      else others.set(from, { since: theirs, heardAt: now() })
      // Who has just begun knows of nobody.
      if (kind === 'wants' && isNew && since !== null) post({ kind: 'wants', from: id, since })
      count()
    },
  }
}
