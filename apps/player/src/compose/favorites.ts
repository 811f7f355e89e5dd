import type { Http } from '@manara/kit/http'
import { favoriteRoutes } from '../features/favorites/favorites.routes.ts'
import { createFavoriteStore } from '../features/favorites/favorites.store.ts'
import { radioRoutes } from '../features/radio/radio.routes.ts'
import { createStationStore } from '../features/radio/stations.store.ts'
import type { Outside } from './area.ts'

/** What the owner has saved: favorites and stations. */
export function composeFavorites({ db, events, wall, probeStation }: Outside) {
  const favorites = createFavoriteStore(db, wall.now)
  const stations = createStationStore(db, wall.now)

  return {
    favorites,
    stations,
    routes(api: Http) {
      favoriteRoutes(api, { favorites, events })
      radioRoutes(api, { stations, events, probeStation })
    },
    start() {},
    stop() {},
  }
}
