import type { WebSocket } from 'ws'
import type { Clock } from '../ports/clock.ts'

// From the decisions: what a reader that has stopped may cost the others.
const MAX_QUEUED_BYTES = 512 * 1024
const MAX_STALLED_MS = 30_000
// Whoever sends pings and reads nothing would have an answer to each of them kept here.
const MAX_QUEUED_FOR_PONG = 16 * 1024

/**
 * One listener. Above 512 KiB queued only the latest of each event is kept for it, and after 30 s
 * of that it is closed; the others never notice.
 */
export function createSubscriber(socket: WebSocket, clock: Clock) {
  const held = new Map<string, string>()
  let stalledSince: number | undefined
  let answered = true
  socket.on('pong', () => {
    answered = true
  })
  socket.on('ping', (data) => {
    if (socket.bufferedAmount <= MAX_QUEUED_FOR_PONG) socket.pong(data)
  })

  function deliver(message: string) {
    socket.send(message, (error) => {
      if (!error) release()
    })
  }

  function release() {
    if (held.size === 0 || socket.bufferedAmount > MAX_QUEUED_BYTES / 2) return
    stalledSince = undefined
    const waiting = [...held.values()]
    held.clear()
    for (const message of waiting) deliver(message)
  }

  return {
    send(event: string, message: string) {
      if (socket.readyState !== socket.OPEN) return
      if (held.size === 0 && socket.bufferedAmount <= MAX_QUEUED_BYTES) return deliver(message)
      stalledSince ??= clock.monotonic()
      // Deleted first, so that what is released is in the order of the last news.
      held.delete(event)
      held.set(event, message)
      if (clock.monotonic() - stalledSince > MAX_STALLED_MS) socket.terminate()
    },

    /** A phone that left the network never closes its socket. */
    checkAlive() {
      if (!answered) return socket.terminate()
      answered = false
      socket.ping()
    },
  }
}
