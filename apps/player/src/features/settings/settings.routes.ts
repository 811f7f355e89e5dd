import { AppError, invalid } from '@manara/kit/errors'
import type { EventBus } from '@manara/kit/event-bus'
import type { Http } from '@manara/kit/http'
import type { PlayerEvents } from '@manara/player-contract/events'
import {
  AudioOutputBody,
  AutoOffBody,
  AutoResumeBody,
  BrightnessBody,
  CardRemovalBody,
  FadesBody,
  HostnameBody,
  LanguageBody,
  MaxVolumeBody,
  SettingsResult,
  SettingsStatus,
  TimeBody,
  TimeFormatBody,
  TimeResult,
  TimezoneBody,
  WifiBody,
} from '@manara/player-contract/settings'
import { parsePosixTz } from '@manara/posix-tz/parse-posix-tz'
import type { z } from 'zod'
import type { Board } from '../../ports/board.ts'
import type { Wifi } from '../../ports/wifi.ts'
import { type ChooseOutputDeps, chooseOutput } from './choose-output.ts'
import { joinWifi } from './join-wifi.ts'
import { type SettingsStatusDeps, settingsStatus } from './settings-status.ts'
import type { createSurroundings } from './surroundings.ts'

export type SettingsDeps = SettingsStatusDeps &
  ChooseOutputDeps & {
    events: EventBus<PlayerEvents>
    board: Pick<Board, 'setBrightness'>
    wifi: Pick<Wifi, 'join'>
    surroundings: ReturnType<typeof createSurroundings>
    /** Lowers a volume that is above a new limit. */
    applyVolumeLimit(limit: number): Promise<void>
  }

const tags = ['settings']

export function settingsRoutes(http: Http, deps: SettingsDeps) {
  const { settings, events, board, wall, surroundings } = deps

  function told() {
    const status = settingsStatus(deps)
    events.emit('settings', status)
    return { success: true, ...status } as const
  }

  /** A route that keeps something, lets it take effect, and then tells everyone once. */
  function setting<Body extends z.ZodType>(
    path: string,
    summary: string,
    body: Body,
    apply: (body: z.infer<Body>) => void | Promise<void>,
  ) {
    http.post(
      `/settings/${path}`,
      { schema: { tags, summary, body, response: { 200: SettingsResult } } },
      async (request) => {
        await apply(request.body as z.infer<Body>)
        return told()
      },
    )
  }

  http.get(
    '/settings',
    { schema: { tags, summary: 'All settings, no password', response: { 200: SettingsStatus } } },
    async () => {
      await surroundings.refreshIfStale()
      return settingsStatus(deps)
    },
  )

  setting('wifi', 'Join a network', WifiBody, ({ ssid, password }) =>
    joinWifi(deps, ssid, password),
  )

  setting('brightness', 'Light of the screen', BrightnessBody, async ({ brightness }) => {
    // Device first: a backlight that refuses leaves the setting as it was.
    await board.setBrightness(brightness).catch((cause: Error) => {
      throw new AppError(500, `brightness: the backlight refused: ${cause.message}`, { cause })
    })
    settings.save('brightness', brightness)
  })

  setting('timezone', 'POSIX rule of the local time', TimezoneBody, ({ timezone }) => {
    try {
      parsePosixTz(timezone)
    } catch (error) {
      throw invalid('timezone', (error as Error).message)
    }
    settings.save('timezone', timezone)
  })

  setting('time-format', '12 or 24 hours', TimeFormatBody, ({ time_format_24h }) =>
    settings.save('time_format_24h', time_format_24h),
  )

  http.post(
    '/settings/time',
    {
      schema: {
        tags,
        summary: 'Set the clock of the box and its clock chip',
        body: TimeBody,
        response: { 200: TimeResult },
      },
    },
    async ({ body }) => {
      const { system_clock, rtc } = await wall.set(body.epoch)
      // A change of the clock has reached everyone as an event already, whoever made it.
      return {
        success: true,
        ...settingsStatus(deps),
        system_clock_set: system_clock,
        rtc_set: rtc,
      } as const
    },
  )

  setting(
    'auto-resume',
    'Whether playback goes on by itself after a power cut',
    AutoResumeBody,
    ({ enabled }) => settings.save('auto_resume', enabled),
  )

  setting('auto-off', 'Idle minutes until sleep', AutoOffBody, ({ auto_off_minutes }) =>
    settings.save('auto_off_minutes', auto_off_minutes),
  )

  setting('card-removal', 'What lifting the NFC card does', CardRemovalBody, ({ policy }) =>
    settings.save('card_removal', policy),
  )

  setting('hostname', 'Name in the local network', HostnameBody, ({ hostname }) =>
    settings.save('hostname', hostname.toLowerCase()),
  )

  setting('language', 'Language of screen and dashboard', LanguageBody, ({ language }) =>
    settings.save('language', language),
  )

  setting('max-volume', 'The loudest volume anyone can set', MaxVolumeBody, async (body) => {
    settings.save('max_volume', body.max_volume)
    await deps.applyVolumeLimit(body.max_volume)
  })
  setting(
    'fades',
    'How long the adhan and schedules rise, and what makes room for them falls',
    FadesBody,
    ({ fade_up_s, fade_down_s }) => {
      if (fade_up_s !== undefined) settings.save('fade_up_s', fade_up_s)
      if (fade_down_s !== undefined) settings.save('fade_down_s', fade_down_s)
    },
  )

  setting('audio-output', 'Where sound goes', AudioOutputBody, ({ audio_output }) =>
    chooseOutput(deps, audio_output),
  )
}
