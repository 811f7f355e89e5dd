import type { Card } from '@manara/player-contract/cards'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import type { CardRemoval } from '@manara/player-contract/settings'

/** What a card has set going, until somebody chooses something else. */
export type Session = {
  uid: string
  /** Tells one choice of what to play from the next. */
  choice: number
  /** It was the lifting of the card that paused it. */
  isPausedByLift: boolean
}

export type Situation = {
  session: Session | undefined
  /** The choice that plays now. */
  choice: number
  playback: Pick<PlaybackStatus, 'state' | 'adhan'>
}

export type TapMove = 'play' | 'pause' | 'resume' | 'next' | 'nothing'

/** A first tap plays what the card is bound to; a second one does what its owner chose. */
export function tapMove(
  { uid, binding, second_tap }: Pick<Card, 'uid' | 'binding' | 'second_tap'>,
  situation: Situation,
): TapMove {
  const { session, playback } = situation
  // An action is done at every tap: two taps on "louder" are two steps.
  if (binding.type === 'action') return 'play'
  const isSecond = binding.type === 'adhan' ? playback.adhan === 'manual' : isOwn(uid, situation)
  if (!isSecond) return 'play'
  const isPaused = playback.state === 'paused'
  switch (second_tap) {
    case 'restart':
      return 'play'
    case 'next':
      return 'next'
    case 'toggle':
      return isPaused ? 'resume' : 'pause'
    case 'ignore':
      // Otherwise a card that pauses when it is lifted could never be heard again.
      return isPaused && session?.isPausedByLift ? 'resume' : 'nothing'
  }
}

export type LiftMove = 'pause' | 'stop' | 'later' | 'nothing'

/** Only what this card started ends with it, and the adhan is never cut short by it. */
export function liftMove(uid: string, policy: CardRemoval, situation: Situation): LiftMove {
  const { adhan, state } = situation.playback
  if (policy === 'continue' || !isOwn(uid, situation)) return 'nothing'
  if (adhan) return 'later'
  return policy === 'pause' && state === 'paused' ? 'nothing' : policy
}

const isOwn = (uid: string, { session, choice, playback }: Situation): boolean =>
  session?.uid === uid && session.choice === choice && playback.state !== 'stopped'
