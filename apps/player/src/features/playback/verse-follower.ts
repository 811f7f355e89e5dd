import type { AudioSnapshot } from '../../ports/audio-output.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Machine } from './domain/state.ts'
import type { VerseBook } from './verse-book.ts'

type FollowerDeps = {
  clock: Clock
  book: Pick<VerseBook, 'at'>
  machine(): Machine
  heard(): Pick<AudioSnapshot, 'state' | 'position_ms'>
  onVerse(surah: number, verse: number): void
}

/** The engine knows a timer's moment late rather than early. */
const AFTER_MS = 20

/** Tells each verse when it begins. */
export function createVerseFollower({ clock, book, onVerse, ...deps }: FollowerDeps) {
  let told = { surah: 0, verse: 0 }
  let cancel: (() => void) | undefined
  let isOver = false

  /** The verse that is heard, and how long until the next begins. */
  function present() {
    const { track, gap, adhan, state, speed } = deps.machine()
    if (track?.kind !== 'file' || gap || adhan || state !== 'playing') return undefined
    const audio = deps.heard()
    // It is over, and what follows has not begun.
    if (audio.state === 'stopped') return undefined
    const { position_ms } = audio
    const heard = book.at(track, position_ms)
    const next = heard && book.at(track, heard.end_ms)
    const isLast = next === undefined || next === heard
    const next_ms = isLast ? undefined : ((next.start_ms - position_ms) * 100) / speed
    return heard && { surah: track.surah_number, verse: heard.verse, next_ms }
  }

  function look() {
    cancel?.()
    cancel = undefined
    const now = isOver ? undefined : present()
    if (!now) return
    const { surah, verse, next_ms } = now
    if (next_ms !== undefined) cancel = clock.after(next_ms + AFTER_MS, look)
    if (told.surah === surah && told.verse === verse) return
    told = { surah, verse }
    onVerse(surah, verse)
  }

  return {
    look,
    end() {
      isOver = true
      cancel?.()
      cancel = undefined
    },
  }
}
