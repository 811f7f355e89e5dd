import { conflict, notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { createQueue } from '@manara/kit/queue'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { QueueBody, QueueCleared, QueueList, QueueResult } from '@manara/player-contract/queue'
import { IdParams } from '@manara/player-contract/records'
import { recordId } from '../../http/record-id.ts'
import type { Track } from './domain/track.ts'
import { type FindTracksDeps, findTracks } from './find-tracks.ts'
import type { QueueStore } from './queue.store.ts'

export type QueueDeps = FindTracksDeps & {
  store: QueueStore
  status(): PlaybackStatus
  play(track: Track): Promise<unknown>
  onChange(): void
}

const tags = ['playback']
const MOST = 500

export function queueRoutes(http: Http, deps: QueueDeps) {
  const { store } = deps
  /** Of two who add at once, only the first may find that nothing plays. */
  const { run: inTurn } = createQueue()

  http.get(
    '/playback/queue',
    { schema: { tags, summary: 'What plays after the current one', response: { 200: QueueList } } },
    () => ({ queue: store.entries() }),
  )

  http.post(
    '/playback/queue',
    {
      schema: {
        tags,
        summary: 'Add a surah, a file, a stream, a favorite, a juz or a hizb to what plays next',
        body: QueueBody,
        response: { 200: QueueResult },
      },
    },
    async ({ body }) => {
      const { tracks, note } = await findTracks(deps, body)
      const started = await inTurn(() => add(tracks))
      deps.onChange()
      return {
        success: true as const,
        ...{ added: tracks.length, started, queue: store.entries() },
        ...(note === undefined ? {} : { note }),
      }
    },
  )

  /** True when what is first in the queue has begun. */
  async function add(tracks: Track[]): Promise<boolean> {
    if (store.size() + tracks.length > MOST)
      throw conflict(`the queue takes ${MOST}: clear it first`)
    const { state, announcement } = deps.status()
    const ids = store.add(tracks, 'last')
    return state === 'stopped' && !announcement && (await begin(ids))
  }

  /** Nothing plays, so there is nothing to wait for. */
  async function begin(added: number[]): Promise<boolean> {
    const next = store.next()
    const [entry] = store.entries()
    if (!next || !entry) return false
    try {
      await deps.play(next)
    } catch (error) {
      for (const id of added) store.remove(id)
      throw error
    }
    // By its name: somebody may have taken it out or put others before it meanwhile.
    store.remove(entry.id)
    return true
  }

  http.delete(
    '/playback/queue',
    { schema: { tags, summary: 'Forget what was queued', response: { 200: QueueCleared } } },
    () => {
      store.clear()
      deps.onChange()
      return { success: true as const, queue: [] }
    },
  )

  http.delete(
    '/playback/queue/:id',
    {
      schema: {
        tags,
        summary: 'Take one out of the queue',
        params: IdParams,
        response: { 200: QueueCleared },
      },
    },
    ({ params }) => {
      if (!store.remove(recordId('entry', params.id))) throw notFound('entry', params.id)
      deps.onChange()
      return { success: true as const, queue: store.entries() }
    },
  )
}
