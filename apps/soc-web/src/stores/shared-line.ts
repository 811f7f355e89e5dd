import type { StreamEvent } from '@manara/ui/event-stream'

/** What tabs of one person tell each other. */
export type Word =
  /** `from` has a line since then, and has heard everything up to `last`. */
  | { kind: 'holds'; from: string; since: number; last: number }
  | { kind: 'leaves'; from: string }
  | { kind: 'heard'; from: string; event: StreamEvent }

export type SharedLineDeps = {
  /** Tells tabs apart. */
  id: string
  line: { start(): void; stop(): void; isLive(): boolean }
  post(word: Word): void
  onEvent(event: StreamEvent): void
  now(): number
  after(ms: number, then: () => void): unknown
}

const EVERY_MS = 2_000
/** So long without a word, and whoever had the line is gone. */
const SILENCE_MS = 7_000

/**
 * One line to the service for all tabs in sight: browsers have six for all tabs of a service, and
 * with each window keeping one nothing else could be asked. Every tab begins with a line of its own,
 * goes on from its last event, and lets go of it when an older one has heard no more than it has.
 */
export function createSharedLine(deps: SharedLineDeps) {
  const { id, line, post } = deps
  let last = -1
  let since = Number.POSITIVE_INFINITY
  let isOn = false
  /** Whether something was heard by the line that is open now. */
  let isOpen = false
  let followed: { from: string; heardAt: number } | undefined

  const hasLine = () => isOn && isOpen && line.isLive()

  function begin() {
    followed = undefined
    isOpen = false
    since = Number.POSITIVE_INFINITY
    line.start()
  }

  function tell() {
    if (!hasLine()) return
    since = Math.min(since, deps.now())
    post({ kind: 'holds', from: id, since, last })
  }

  function look() {
    tell()
    if (isOn && followed && deps.now() - followed.heardAt > SILENCE_MS) begin()
    deps.after(EVERY_MS, look)
  }

  const isOlder = (word: { since: number; from: string }) =>
    word.since < since || (word.since === since && word.from < id)

  return {
    /** Headers of its line, which goes on from the last event. */
    from: (): Record<string, string> => (last < 0 ? {} : { 'last-event-id': String(last) }),
    /** By its own line. */
    heard(event: StreamEvent) {
      isOpen = true
      if (event.id !== null) last = Number(event.id)
      // That its line is open is nothing to the others.
      if (event.event !== 'ready' && event.id !== null) post({ kind: 'heard', from: id, event })
      else tell()
      deps.onEvent(event)
    },
    told(word: Word) {
      if (!isOn) return
      if (word.kind === 'leaves') {
        if (followed?.from === word.from) begin()
      } else if (word.kind === 'holds') {
        if (followed?.from === word.from) followed.heardAt = deps.now()
        else if (hasLine() && isOlder(word) && last >= word.last) {
          followed = { from: word.from, heardAt: deps.now() }
          isOpen = false
          line.stop()
        }
      } else if (followed && (word.event.event === 'reset' || Number(word.event.id) > last)) {
        last = Number(word.event.id)
        deps.onEvent(word.event)
      }
    },
    look,
    start() {
      isOn = true
      begin()
    },
    stop() {
      if (!isOn) return
      isOn = false
      isOpen = false
      line.stop()
      if (!followed) post({ kind: 'leaves', from: id })
    },
  }
}
