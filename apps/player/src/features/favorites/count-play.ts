import type { EventBus } from '@manara/kit/event-bus'
import type { PlayerEvents } from '@manara/player-contract/events'
import type { FavoriteStore } from './favorites.store.ts'

type Played =
  | { kind: 'file'; reciter: string; surah_number: number }
  | { kind: 'stream'; url: string }

type CountDeps = { favorites: FavoriteStore; events: EventBus<PlayerEvents> }

/** A file counts as the surah it is, a stream as its URL; tells everyone when it was a favorite. */
export function countPlay({ favorites, events }: CountDeps, played: Played) {
  const wasFavorite = favorites.countPlay(
    played.kind === 'file'
      ? { type: 'surah', reciter: played.reciter, surah: played.surah_number, url: '' }
      : { type: 'stream', reciter: '', surah: 0, url: played.url },
  )
  if (wasFavorite) events.emit('favorites', { favorites: favorites.all() })
}
