/**
 * Short literals with letters beyond ASCII, of which rules have a thousand at a time (emoji, letters
 * that look like others): each is filed under one such letter, and a text is gone through once.
 */
export type ForeignLetters<E> = {
  add(entry: E): void
  remove(entry: E): void
  /** Visits what may stand in the text, with the place where it would begin. */
  scan(text: string, visit: (entry: E, start: number) => void): void
  readonly size: number
}

const FIRST_FOREIGN = 0x80
/** Makes an emoji of the letter before it: too many have it. */
const VARIANT = 0xfe0f

export function createForeignLetters<E extends { text: string }>(): ForeignLetters<E> {
  const byLetter = new Map<number, { entry: E; offset: number }[]>()
  let size = 0

  return {
    add(entry) {
      const offset = tellingPlace(entry.text)
      const letter = entry.text.charCodeAt(offset)
      byLetter.set(letter, [...(byLetter.get(letter) ?? []), { entry, offset }])
      size += 1
    },
    remove(entry) {
      const letter = entry.text.charCodeAt(tellingPlace(entry.text))
      const left = (byLetter.get(letter) ?? []).filter((filed) => filed.entry !== entry)
      if (left.length > 0) byLetter.set(letter, left)
      else byLetter.delete(letter)
      size -= 1
    },
    scan(text, visit) {
      for (let at = 0; at < text.length; at++) {
        const letter = text.charCodeAt(at)
        if (letter < FIRST_FOREIGN) continue
        const filed = byLetter.get(letter)
        if (filed) for (const { entry, offset } of filed) visit(entry, at - offset)
      }
    },
    get size() {
      return size
    },
  }
}

/** The last one: of two halves of a letter the second tells more. */
function tellingPlace(text: string): number {
  let place = -1
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter < FIRST_FOREIGN) continue
    if (place < 0 || letter !== VARIANT) place = at
  }
  return place
}
