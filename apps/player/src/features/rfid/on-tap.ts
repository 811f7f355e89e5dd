import type { EventBus } from '@manara/kit/event-bus'
import type { Logger } from '@manara/kit/logging'
import type { Card } from '@manara/player-contract/cards'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { CardRemoval } from '@manara/player-contract/settings'
import type { Target } from '@manara/player-contract/target'
import type { CardStore } from './cards.store.ts'
import { liftMove, type Session, type Situation, tapMove } from './domain/moves.ts'
import type { LastScan } from './last-scan.ts'

export type TapDeps = {
  cards: CardStore
  scan: LastScan
  events: EventBus<PlayerEvents>
  removalPolicy(): CardRemoval
  /** Rejects with what a person can be told. */
  playTarget(target: Target): Promise<void>
  command(type: 'pause' | 'resume' | 'next' | 'stop'): Promise<unknown>
  playback(): PlaybackStatus
  log: Pick<Logger, 'warn'>
  /** Why the last card that should play something did not; undefined when one did, or it is another card now. */
  reportProblem(problem: string | undefined): void
  /** Another number whenever somebody or something has chosen what plays. */
  choice(): number
}

export type Taps = ReturnType<typeof createTaps>

/** What follows when a card is put on the reader, and when it is lifted. */
export function createTaps(deps: TapDeps) {
  const { cards, scan, events } = deps
  let session: Session | undefined
  /** Lifted while the adhan sounded: what it started ends after it. */
  let liftedDuringAdhan: string | undefined
  /** The card that was told to play nothing. */
  let failed: string | undefined

  const situation = (): Situation => ({
    session,
    choice: deps.choice(),
    playback: deps.playback(),
  })

  function mended() {
    if (failed === undefined) return
    failed = undefined
    deps.reportProblem(undefined)
  }

  /** Who taps a card sees no page: why nothing is heard is told where the owner looks, and no names. */
  async function play({ uid, binding }: Card) {
    try {
      await deps.playTarget(binding)
    } catch (error) {
      if (binding.type !== 'learner' && binding.type !== 'action') {
        failed = uid
        deps.reportProblem(
          `the card that was tapped last plays nothing: ${(error as Error).message}`,
        )
      }
      throw error
    }
    // Volume and the like leave what plays to the card that started it.
    if (binding.type === 'action') return
    mended()
    if (binding.type === 'adhan') return
    session = { uid, choice: deps.choice(), isPausedByLift: false }
  }

  /** A full disk keeps nobody from hearing what they tap. */
  function noteTap(uid: string) {
    try {
      cards.noteTap(uid)
    } catch (error) {
      deps.log.warn({ err: error, uid }, 'that a card was tapped could not be kept')
    }
  }

  async function tap(uid: string): Promise<void> {
    liftedDuringAdhan = undefined
    scan.note(uid)
    const card = cards.find(uid)
    if (card) noteTap(uid)
    // Before it sounds: a station may take seconds, and the hand wants an answer.
    const { uid_len } = scan.read()
    events.emit('nfc', { uid, uid_len, registered: card !== undefined, name: card?.name ?? '' })
    if (!card) return
    events.emit('cards', { uid, change: 'tapped', count: cards.count() })
    const move = tapMove(card, situation())
    if (move === 'nothing') return
    if (move === 'play') return play(card)
    await deps.command(move)
  }

  async function lift(uid: string): Promise<void> {
    const move = liftMove(uid, deps.removalPolicy(), situation())
    if (move === 'nothing') return
    if (move === 'later') {
      liftedDuringAdhan = uid
      return
    }
    await deps.command(move)
    if (session && move === 'pause') session = { ...session, isPausedByLift: true }
  }

  return {
    tap,
    lift,
    /** It plays something else now, or is gone. */
    changed(uid: string) {
      if (uid === failed) mended()
    },
    async adhanOver() {
      const uid = liftedDuringAdhan
      liftedDuringAdhan = undefined
      if (uid !== undefined) await lift(uid)
    },
  }
}
