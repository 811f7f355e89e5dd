import { invalid } from '@manara/kit/errors'
import type { EventBus } from '@manara/kit/event-bus'
import type { Http } from '@manara/kit/http'
import type { PlayerEvents } from '@manara/player-contract/events'
import { DeleteResult, IdParams } from '@manara/player-contract/records'
import {
  ImportBody,
  ImportResult,
  StationBody,
  StationCheck,
  StationCheckBody,
  StationList,
  StationPatch,
  StationResult,
} from '@manara/player-contract/stations'
import { recordId } from '../../http/record-id.ts'
import type { ProbeStation } from '../../ports/station-probe.ts'
import { stationsIn } from './domain/playlist-file.ts'
import type { StationStore } from './stations.store.ts'

export type RadioDeps = {
  stations: StationStore
  events: EventBus<PlayerEvents>
  probeStation: ProbeStation
}

const tags = ['radio']

export function radioRoutes(http: Http, { stations, events, probeStation }: RadioDeps) {
  const tell = () => events.emit('stations', { stations: stations.all() })

  http.get(
    '/radio/stations',
    { schema: { tags, summary: 'Saved stations', response: { 200: StationList } } },
    () => ({ stations: stations.all() }),
  )

  http.post(
    '/radio/stations',
    {
      schema: {
        tags,
        summary: 'Save a station',
        body: StationBody,
        response: { 200: StationResult },
      },
    },
    ({ body }) => {
      const station = stations.add(body)
      tell()
      return { success: true, ...station } as const
    },
  )

  http.patch(
    '/radio/stations/:id',
    {
      schema: {
        tags,
        summary: 'Rename a station or change its address',
        params: IdParams,
        body: StationPatch,
        response: { 200: StationResult },
      },
    },
    ({ params, body }) => {
      const id = recordId('station', params.id)
      const taken = body.url === undefined ? undefined : stations.byUrl(body.url)
      if (taken && taken.id !== id) throw invalid('url', `is already saved as ${taken.name}`)
      const station = stations.edit(id, body)
      tell()
      return { success: true, ...station } as const
    },
  )

  http.delete(
    '/radio/stations/:id',
    {
      schema: {
        tags,
        summary: 'Remove a station',
        params: IdParams,
        response: { 200: DeleteResult },
      },
    },
    ({ params }) => {
      const id = recordId('station', params.id)
      stations.remove(id)
      tell()
      return { success: true, id } as const
    },
  )

  http.post(
    '/radio/check',
    {
      schema: {
        tags,
        summary: 'Whether an address can be played, without saving it',
        body: StationCheckBody,
        response: { 200: StationCheck },
      },
    },
    async ({ body }) => {
      const unknown = { content_type: '', name: '', bitrate: 0, reason: '' }
      return { success: true, ...unknown, ...(await probeStation(body.url)) } as const
    },
  )

  http.post(
    '/radio/import',
    {
      schema: {
        tags,
        summary: 'Save the stations of an M3U, PLS or OPML text',
        body: ImportBody,
        response: { 200: ImportResult },
      },
    },
    ({ body }) => {
      const found = stationsIn(body.text)
      if (found.length === 0) throw invalid('text', 'names no station: send M3U, PLS or OPML')
      const checked = found.map((station) => ({ station, check: StationBody.safeParse(station) }))
      const added = stations.addAll(checked.flatMap(({ check }) => check.data ?? []))
      if (added.length > 0) tell()
      return {
        success: true,
        added,
        skipped: checked.flatMap(({ station, check }) =>
          check.error
            ? [{ url: station.url, reason: check.error.issues[0]?.message ?? 'not valid' }]
            : [],
        ),
      } as const
    },
  )
}
