import { announce, duringAdhan } from './during-adhan.ts'
import { ordinary } from './ordinary.ts'
import type { Command, Machine, Report, Step } from './state.ts'
import type { Shelf } from './track.ts'
import { NO_BOOK, type VerseBook } from './verse-clips.ts'

/** The whole transition table. Pure: refuses by throwing and changes nothing then. */
export function step(
  machine: Machine,
  happening: Command | Report,
  shelf: Shelf,
  book: VerseBook = NO_BOOK,
): Step {
  if (machine.adhan) return duringAdhan(machine, machine.adhan, happening, shelf, book)
  if (happening.type === 'adhan') return announce(machine, happening)
  return ordinary(machine, happening, shelf, book)
}
