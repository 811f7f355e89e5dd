import type { Logger } from '@manara/kit/logging'
import { createQueue } from '@manara/kit/queue'
import type { Clock } from '../../ports/clock.ts'
import type { NfcReader, ReaderEvent } from '../../ports/nfc-reader.ts'
import { type Deed, GRACE_MS, observe, type Sighting, UNSEEN } from './domain/presence.ts'
import type { Taps } from './on-tap.ts'

export type WatchDeps = {
  reader: NfcReader
  clock: Clock
  taps: Taps
  log: Pick<Logger, 'info' | 'warn'>
  /** A card is registered: somebody has a reader, or had one. */
  hasCards(): boolean
  /** Why cards cannot be read; undefined when they can be, or nobody wants to. */
  reportProblem(problem: string | undefined): void
  /** The reader has come or gone. */
  onReader(): void
  /** Calls back when an adhan is over; the result ends it. */
  onAdhanOver(listener: () => void): () => void
}

/** Makes taps and lifts of what the reader sees, one after the other. */
export function watchReader(deps: WatchDeps) {
  const { clock, log, reader, taps } = deps
  let presence = UNSEEN
  let wasThere = false
  let endGrace = () => {}
  let endAdhans = () => {}
  const queue = createQueue()

  /** In turn, so that a lift never overtakes the tap before it. */
  function inTurn(what: string, work: () => Promise<void>) {
    queue.run(work).catch((error) => log.warn({ err: error }, what))
  }

  function perform(deed: Deed) {
    switch (deed.do) {
      case 'tap':
      case 'lift':
        return inTurn(`${deed.do} of card ${deed.uid}`, () => taps[deed.do](deed.uid))
      case 'wait':
        endGrace = clock.after(GRACE_MS, () => see({ type: 'grace-over' }))
        return
      case 'end-wait':
        endGrace()
    }
  }

  function see(sighting: Sighting) {
    const [next, deeds] = observe(presence, sighting)
    presence = next
    for (const deed of deeds) perform(deed)
  }

  function hear(event: ReaderEvent) {
    if (event.type === 'card' || event.type === 'empty') return see(event)
    if (event.type === 'lost') see(event)
    else wasThere = true
    const problem = event.type === 'lost' ? event.reason : undefined
    log.info({ ...reader.status(), problem }, 'NFC reader')
    // A box that never had one misses nothing.
    const isMissed = event.type === 'lost' && (!event.isAbsent || wasThere || deps.hasCards())
    deps.reportProblem(
      isMissed ? `${problem}; cards cannot be tapped until a reader answers` : undefined,
    )
    deps.onReader()
  }

  return {
    async start() {
      endAdhans = deps.onAdhanOver(() => inTurn('card lifted', taps.adhanOver))
      await reader.start(hear)
    },

    /** Resolves when what was tapped until now is done. */
    settled: queue.idle,

    async stop() {
      endAdhans()
      endGrace()
      await reader.stop()
      await queue.idle()
    },
  }
}
