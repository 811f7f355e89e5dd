import { AppError } from '@manara/kit/errors'

/** How much may be on its way to the disk: events that were read, and bytes of what they are read from. */
export function createIngestRoom(most: { events: number; bytes: number }) {
  let events = 0
  let bytes = 0
  let wanted: (() => void)[] = []

  const isFull = (more = 0) => events >= most.events || bytes + more > most.bytes

  function offer() {
    if (isFull()) return
    const waiting = wanted
    wanted = []
    for (const go of waiting) go()
  }

  /** For what has been read already; answers how to give it back. */
  function hold(size: number): () => void {
    bytes += size
    let isHeld = true
    return () => {
      if (isHeld) bytes -= size
      isHeld = false
      offer()
    }
  }

  return {
    hold,
    /** Claims memory for what is about to be read: 429 when there is none. Release when answered. */
    claim(size: number): () => void {
      if (isFull(size)) throw full()
      return hold(size)
    },
    /** Resolves at once, or when there is room again: what a socket is paused for. */
    room: (): Promise<void> =>
      isFull() ? new Promise((resolve) => wanted.push(resolve)) : Promise.resolve(),
    enter(count: number) {
      events += count
    },
    leave(count: number) {
      events -= count
    },
    offer,
    depth: () => ({ events, bytes, most_events: most.events, most_bytes: most.bytes }),
  }
}

const full = () =>
  new AppError(429, 'the ingest queue is full: nothing was stored, send it again shortly', {
    retryAfter: 1,
  })
