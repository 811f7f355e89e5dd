/** So long without a letter, and who types looks at the page again. */
const PAUSE_MS = 3_000

/** Whether somebody is in the middle of a text: what takes the keyboard away waits for a pause. */
export function createTyping(deps: { now(): number; after(ms: number, then: () => void): void }) {
  let lastAt = Number.NEGATIVE_INFINITY
  const typed = () => {
    lastAt = deps.now()
  }
  const ended = () => {
    lastAt = Number.NEGATIVE_INFINITY
  }

  return {
    follow(page: Pick<EventTarget, 'addEventListener'>) {
      page.addEventListener('input', typed)
      // What was typed is sent, or its field left.
      for (const end of ['submit', 'focusout']) page.addEventListener(end, ended)
    },
    async pause() {
      const left = () => lastAt + PAUSE_MS - deps.now()
      while (left() > 0) await new Promise<void>((resolve) => deps.after(left(), resolve))
    },
  }
}
