import { adhan } from './adhan.ts'
import type { Facts, Trouble } from './facts.ts'
import { idle } from './idle.ts'
import { nowPlaying } from './now-playing.ts'
import { pairing } from './pairing.ts'
import { isFresh, troubled } from './trouble.ts'
import { isUpdating, updating } from './update.ts'

/** What is worth the whole screen: the call to prayer before everything, the clock when nothing is. */
export function sceneOf(facts: Facts, trouble: Trouble | undefined) {
  const { playback } = facts
  if (playback.adhan) return adhan(facts)
  if (isUpdating(facts)) return updating(facts)
  // A reminder says nothing that the clock and the next prayer do not.
  if (playback.announcement) return idle(facts)
  if (facts.pairing) return pairing(facts, facts.pairing)
  if (playback.state !== 'stopped') return nowPlaying(facts)
  if (isFresh(trouble)) return troubled(facts, trouble)
  return idle(facts)
}
