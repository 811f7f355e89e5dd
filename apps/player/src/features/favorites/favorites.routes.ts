import type { EventBus } from '@manara/kit/event-bus'
import type { Http } from '@manara/kit/http'
import type { PlayerEvents } from '@manara/player-contract/events'
import {
  FavoriteBody,
  FavoriteList,
  FavoriteResult,
  ToggleResult,
} from '@manara/player-contract/favorites'
import { DeleteResult, IdParams } from '@manara/player-contract/records'
import { recordId } from '../../http/record-id.ts'
import type { FavoriteStore } from './favorites.store.ts'

export type FavoriteDeps = { favorites: FavoriteStore; events: EventBus<PlayerEvents> }

const tags = ['favorites']

export function favoriteRoutes(http: Http, { favorites, events }: FavoriteDeps) {
  const tell = () => events.emit('favorites', { favorites: favorites.all() })

  http.get(
    '/favorites',
    { schema: { tags, summary: 'Favorites with play counts', response: { 200: FavoriteList } } },
    () => ({ favorites: favorites.all() }),
  )

  http.post(
    '/favorites',
    {
      schema: {
        tags,
        summary: 'Add a favorite; one that is there already is returned',
        body: FavoriteBody,
        response: { 200: FavoriteResult },
      },
    },
    ({ body }) => {
      const favorite = favorites.add(body)
      tell()
      return { success: true, ...favorite } as const
    },
  )

  http.post(
    '/favorites/toggle',
    {
      schema: {
        tags,
        summary: 'Add or remove in one call',
        body: FavoriteBody,
        response: { 200: ToggleResult },
      },
    },
    ({ body }) => {
      const toggled = favorites.toggle(body)
      tell()
      return { success: true, ...toggled } as const
    },
  )

  http.delete(
    '/favorites/:id',
    {
      schema: {
        tags,
        summary: 'Remove a favorite',
        params: IdParams,
        response: { 200: DeleteResult },
      },
    },
    ({ params }) => {
      const id = recordId('favorite', params.id)
      favorites.remove(id)
      tell()
      return { success: true, id } as const
    },
  )
}
