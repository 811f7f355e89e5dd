/** What is known about the reader's surface. */
export type Presence = {
  /** Null: nothing. Undefined: nobody has looked yet. */
  on: string | null | undefined
  /** It was not seen at the last look, which for a moment proves nothing. */
  isLeaving: boolean
}

export type Sighting =
  | { type: 'card'; uid: string }
  | { type: 'empty' }
  | { type: 'lost' }
  /** The card has been away for as long as no flicker lasts. */
  | { type: 'grace-over' }

export type Deed =
  | { do: 'tap' | 'lift'; uid: string }
  /** Begin or end waiting for `grace-over`. */
  | { do: 'wait' | 'end-wait' }

export const UNSEEN: Presence = { on: undefined, isLeaving: false }

/**
 * Longer than the misses of a card at the rim of the field (one or two looks, 150 ms apart), shorter
 * than a hand needs to lift a card and put it back on purpose.
 */
export const GRACE_MS = 400

/** Sightings flicker; what people do with their hands does not. */
export function observe(presence: Presence, sighting: Sighting): [next: Presence, deeds: Deed[]] {
  const { on, isLeaving } = presence
  const endWait: Deed[] = isLeaving ? [{ do: 'end-wait' }] : []
  switch (sighting.type) {
    case 'card':
      if (on === sighting.uid) return [lying(on), endWait]
      return [lying(sighting.uid), [...endWait, ...arrival(on, sighting.uid)]]
    case 'empty':
      if (!on) return [{ on: null, isLeaving: false }, []]
      return [{ on, isLeaving: true }, isLeaving ? [] : [{ do: 'wait' }]]
    case 'lost':
      // A reader that was unplugged says nothing about the card: the next look will.
      return [{ on, isLeaving: false }, endWait]
    case 'grace-over':
      if (!on || !isLeaving) return [presence, []]
      return [{ on: null, isLeaving: false }, [{ do: 'lift', uid: on }]]
  }
}

const lying = (uid: string): Presence => ({ on: uid, isLeaving: false })

function arrival(before: Presence['on'], uid: string): Deed[] {
  // It lay there when the box was switched on: after a power cut at night nobody has tapped it.
  if (before === undefined) return []
  const tap: Deed = { do: 'tap', uid }
  return before === null ? [tap] : [{ do: 'lift', uid: before }, tap]
}
