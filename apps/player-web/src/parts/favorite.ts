import type { Favorite, FavoriteBody } from '@manara/player-contract/favorites'
import { api, attempt, box } from '../here.ts'

/** The favorite that this is, if it is one. */
export const favoriteLike = (wanted: FavoriteBody): Favorite | undefined =>
  box.favorites.value?.find(({ type, reciter, surah, url }) =>
    type !== wanted.type
      ? false
      : type === 'surah'
        ? reciter === wanted.reciter && surah === wanted.surah
        : url === wanted.url,
  )

/** Says what is wanted, not to turn it round: of two phones that mark the same, both have. */
export const star = (wanted: FavoriteBody) =>
  attempt(() => {
    const known = favoriteLike(wanted)
    return known ? api.remove(`/favorites/${known.id}`) : api.post('/favorites', wanted)
  })
