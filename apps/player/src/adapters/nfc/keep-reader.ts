import type { Clock } from '../../ports/clock.ts'
import type { NfcReader, ReaderEvent, ReaderStatus } from '../../ports/nfc-reader.ts'

export type OpenReader = {
  adapter: ReaderStatus['adapter']
  name: string
  /** Resolves with the reason when it is gone. Never rejects. */
  ended: Promise<string>
  close(): Promise<void>
}

/** Nobody has named a reader, and nothing looks like one. */
export class NoReader extends Error {}

/**
 * Opens a reader and tells each look at it: the UID, or undefined for nothing. Rejects with what the
 * owner can be told when there is none, in a few seconds at most.
 */
export type Open = (see: (uid: string | undefined) => void) => Promise<OpenReader>

// Plugging a reader in is slow work beside this, and an open attempt costs next to nothing.
const RETRY_MS = 2_000

/** A reader that comes, goes and comes back: opened again and again until it is stopped. */
export function keepReader(open: Open, clock: Clock, retry_ms = RETRY_MS): NfcReader {
  const NONE: ReaderStatus = { adapter: 'none', present: false, name: '' }
  let status = NONE
  let current: OpenReader | undefined
  let isStopped = false
  let endRetry = () => {}
  let told = ''
  let report: (event: ReaderEvent) => void = () => {}

  async function attempt(): Promise<void> {
    let opened: OpenReader | undefined
    let early: { uid: string | undefined } | undefined
    /** Null until the first look, which is always told; after it only what differs is. */
    let seen: string | undefined | null = null

    function see(uid: string | undefined) {
      if (!opened) {
        early = { uid }
        return
      }
      if (isStopped || opened !== current || uid === seen) return
      seen = uid
      report(uid === undefined ? { type: 'empty' } : { type: 'card', uid })
    }

    try {
      opened = await open(see)
    } catch (error) {
      return lose((error as Error).message, error instanceof NoReader)
    }
    if (isStopped) return opened.close()
    current = opened
    status = { adapter: opened.adapter, present: true, name: opened.name }
    told = ''
    report({ type: 'ready' })
    if (early) see(early.uid)
    void opened.ended.then((reason) => lose(reason, false))
  }

  function lose(reason: string, isAbsent: boolean) {
    if (isStopped) return
    current = undefined
    status = NONE
    // The same reason every two seconds would fill the log of a box without a reader.
    if (reason !== told) report({ type: 'lost', reason, isAbsent })
    told = reason
    endRetry = clock.after(retry_ms, () => void attempt())
  }

  return {
    status: () => status,
    async start(listener) {
      report = listener
      await attempt()
    },
    async stop() {
      isStopped = true
      endRetry()
      await current?.close()
    },
  }
}
