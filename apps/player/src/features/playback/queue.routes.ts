import { conflict, notFound } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { createQueue } from '@manara/kit/queue'
import type { PlaybackStatus } from '@manara/player-contract/playback'
import { QueueBody, QueueCleared, QueueList, QueueResult } from '@manara/player-contract/queue'
import { IdParams } from '@manara/player-contract/records'
import { recordId } from '../../http/record-id.ts'
import type { Track } from './domain/track.ts'
import { type FindTracksDeps, findTracks } from './find-tracks.ts'
import { MOST, type QueueStore } from './queue.store.ts'

export type QueueDeps = FindTracksDeps & {
  store: QueueStore
  status(): PlaybackStatus
  play(track: Track): Promise<unknown>
  onChange(): void
}

/** `started`: what is first in the queue has begun. */
type Begun = { started: boolean; leftOut: string[] }

const tags = ['playback']

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
      const { started, leftOut } = await inTurn(() => add(tracks))
      deps.onChange()
      const notes = [note ?? [], leftOut.length > 0 ? `left out: ${leftOut.join('; ')}` : []].flat()
      return {
        success: true as const,
        ...{ added: tracks.length, started, queue: store.entries() },
        ...(notes.length > 0 && { note: notes.join('; ') }),
      }
    },
  )

  async function add(tracks: Track[]): Promise<Begun> {
    if (store.size() + tracks.length > MOST)
      throw conflict(`the queue takes ${MOST}: clear it first`)
    return begin(store.add(tracks))
  }

  function isIdle(): boolean {
    const { state, announcement } = deps.status()
    return state === 'stopped' && !announcement
  }

  /**
   * Where nothing plays there is nothing to wait for. Tells which before the one that has begun are
   * left out and why. Where none can be played it may be the device: what was queued before stays.
   */
  async function begin(added: number[]): Promise<Begun> {
    const passed: { id: number; why: string }[] = []
    let problem: unknown
    for (const { id, track, name } of store.all()) {
      if (!isIdle()) return { started: false, leftOut: [] }
      try {
        await deps.play(track)
        // By their names: somebody may have taken one out or put others before it meanwhile.
        for (const one of [...passed, { id }]) store.remove(one.id)
        return { started: true, leftOut: passed.map(({ why }) => why) }
      } catch (error) {
        problem = error
        passed.push({ id, why: `${name} ${whyNot(error as Error)}` })
      }
    }
    for (const id of added) store.remove(id)
    throw problem
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

/** Without the field of a body that this entry was not named by. */
const whyNot = ({ message }: Error) => message.replace(/^(path|url): /, '')
