import { invalid } from '@manara/kit/errors'
import type { Http } from '@manara/kit/http'
import { PlaybackResult, type PlaybackStatus } from '@manara/player-contract/playback'
import { PrayerResult, PrayerStatus, TestAdhanQuery } from '@manara/player-contract/prayer'
import { PrayerConfigBody } from '@manara/player-contract/prayer-config'
import {
  CitiesQuery,
  CityList,
  ExplainQuery,
  Explanation,
  MethodList,
  MonthQuery,
  MonthTable,
} from '@manara/player-contract/prayer-tables'
import type { Almanac } from './almanac.ts'
import { type ConfigurePrayerDeps, configurePrayer } from './configure-prayer.ts'
import { listMethods } from './list-methods.ts'
import { searchCities } from './search-cities.ts'
import { adhanProblem, askForAdhan, type SoundAdhanDeps } from './sound-adhan.ts'

export type PrayerDeps = {
  almanac: Almanac
  configure: ConfigurePrayerDeps
  adhan: SoundAdhanDeps
  /** Times, masks or volumes may be others now. */
  onConfigured(): Promise<void>
  stopAdhan(): Promise<PlaybackStatus>
  playback(): PlaybackStatus
}

const tags = ['prayer']

export function prayerRoutes(http: Http, { almanac, ...deps }: PrayerDeps) {
  http.get(
    '/prayer',
    {
      schema: {
        tags,
        summary: "Today's times, the next prayer, the Hijri date and the configuration",
        response: { 200: PrayerStatus },
      },
    },
    () => almanac.status(),
  )

  http.get(
    '/prayer/explain',
    {
      schema: {
        tags,
        summary: 'How each time of a day came about',
        querystring: ExplainQuery,
        response: { 200: Explanation },
      },
    },
    ({ query }) => almanac.explain(query.date === undefined ? undefined : dateOf(query.date)),
  )

  http.get(
    '/prayer/month',
    {
      schema: {
        tags,
        summary: 'The timetable of a month',
        querystring: MonthQuery,
        response: { 200: MonthTable },
      },
    },
    ({ query: { year, month } }) =>
      almanac.month({
        ...(year === undefined ? {} : { year: Number(year) }),
        ...(month === undefined ? {} : { month: Number(month) }),
      }),
  )

  http.get(
    '/prayer/methods',
    {
      schema: {
        tags,
        summary: 'The methods and conventions to choose from, with their parameters',
        response: { 200: MethodList },
      },
    },
    () => listMethods(),
  )

  http.get(
    '/prayer/cities',
    {
      schema: {
        tags,
        summary: 'Places by name, offline, with coordinates, time zone and the usual method',
        querystring: CitiesQuery,
        response: { 200: CityList },
      },
    },
    ({ query }) => searchCities(query),
  )

  http.post(
    '/prayer/config',
    {
      schema: {
        tags,
        summary: 'Set the location, the method and the adhan; what is left out stays',
        body: PrayerConfigBody,
        response: { 200: PrayerResult },
      },
    },
    async ({ body }) => {
      await configurePrayer(deps.configure, body)
      await deps.onConfigured()
      return { success: true, ...almanac.status() } as const
    },
  )

  http.post(
    '/prayer/test-adhan',
    {
      schema: {
        tags,
        summary: 'Play the configured adhan now, or that of a prayer',
        querystring: TestAdhanQuery,
        response: { 200: PlaybackResult },
      },
    },
    async ({ query }) => {
      const prayer = query.prayer ?? 'manual'
      const problem = await adhanProblem(deps.adhan, prayer)
      if (problem) throw invalid('adhan.path', problem)
      await askForAdhan(deps.adhan, prayer)
      return { success: true, ...deps.playback() } as const
    },
  )

  http.post(
    '/prayer/stop-adhan',
    {
      schema: {
        tags,
        summary: 'Stop the adhan and go on with what it interrupted',
        response: { 200: PlaybackResult },
      },
    },
    async () => ({ success: true, ...(await deps.stopAdhan()) }) as const,
  )
}

function dateOf(text: string) {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}
