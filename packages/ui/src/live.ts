import { signal } from '@preact/signals'

/** `lost`: a try has failed, or a link that stood is gone; the next try comes by itself. */
export type LinkStatus = 'connecting' | 'live' | 'lost'

export type LiveSocket = {
  onmessage: ((message: { data: string }) => void) | null
  onclose: (() => void) | null
  close(): void
}

export type LiveDeps = {
  open(): LiveSocket
  onMessage(message: { event: string; data: unknown }): void
  /** Resolves when the service answers at all. */
  check(): Promise<unknown>
  now(): number
  after(ms: number, then: () => void): () => void
  /** 0 to 1: spreads the returns of many clients. */
  random(): number
}

const OPENING_MS = 6_000
// A slow line takes four turns of a second and more until the first word is here.
const LONGEST_OPENING_MS = 24_000
const SILENCE_MS = 12_000
// A timer this late means that the machine slept: the link is not to be trusted.
const SLEPT_MS = 10_000
// A page that stood still has not listened: what came meanwhile is heard behind its timers.
const STOOD_STILL_MS = 1_000
const FRESH_MS = 3_000
const RESTING_MS = 60_000
const BACKOFF_MS = [300, 800, 1_500, 3_000, 5_000]

/**
 * A link that comes back by itself. The first message on it is the whole state, so whatever was
 * missed is made good by opening it anew.
 */
export function createLive(deps: LiveDeps) {
  const status = signal<LinkStatus>('connecting')
  let socket: LiveSocket | undefined
  let heardAt = Number.NEGATIVE_INFINITY
  let failures = 0
  let patience = OPENING_MS
  let cancel = () => {}
  let stay = () => {}

  function wait(ms: number, then: (lateness: number) => void) {
    cancel()
    const due = deps.now() + ms
    cancel = deps.after(ms, () => then(deps.now() - due))
  }

  function open() {
    leave()
    const mine = deps.open()
    socket = mine
    const begun = deps.now()
    let isFirst = true
    wait(patience, giveUp)
    mine.onmessage = ({ data }) => {
      if (mine !== socket) return
      heardAt = deps.now()
      if (isFirst && heardAt - begun <= OPENING_MS) patience = OPENING_MS
      isFirst = false
      failures = 0
      deps.onMessage(JSON.parse(data))
      status.value = 'live'
      wait(SILENCE_MS, doubt)
    }
    mine.onclose = () => {
      if (mine === socket) fail()
    }
  }

  /** No word for a while: an idle box has nothing to say, a lost one cannot. */
  async function doubt(lateness: number) {
    if (lateness > SLEPT_MS) return reopen()
    const asked = socket
    wait(patience, giveUp)
    try {
      await deps.check()
      if (asked === socket) wait(SILENCE_MS, doubt)
    } catch {
      if (asked === socket) fail()
    }
  }

  /** It may only be slow: the next one is waited for longer. */
  function giveUp(lateness: number) {
    if (lateness > STOOD_STILL_MS) return wait(patience, () => giveUp(0))
    patience = Math.min(2 * patience, LONGEST_OPENING_MS)
    fail()
  }

  function fail() {
    leave()
    status.value = 'lost'
    const pause = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length - 1)] ?? 0
    failures += 1
    wait(pause * (0.7 + 0.6 * deps.random()), open)
  }

  function leave() {
    cancel()
    const old = socket
    socket = undefined
    old?.close()
  }

  function reopen() {
    if (status.value === 'live') status.value = 'connecting'
    failures = 0
    open()
  }

  return {
    status,
    start: open,
    /** Someone looks again: what has not spoken just now is opened anew, without waiting. */
    wake() {
      stay()
      const isFresh = socket && status.value === 'live' && deps.now() - heardAt <= FRESH_MS
      if (!isFresh) reopen()
      else wait(SILENCE_MS, doubt)
    },
    /**
     * Nobody looks: after a minute the link is given up, whatever was said meanwhile, since open
     * links keep a box awake.
     */
    rest() {
      stay()
      stay = deps.after(RESTING_MS, leave)
    },
    stop() {
      stay()
      leave()
    },
  }
}
