import type { EventBus } from '@manara/kit/event-bus'
import type { Http } from '@manara/kit/http'
import type { PlayerEvents } from '@manara/player-contract/events'
import {
  AutoResumeBody,
  MaxVolumeBody,
  SettingsResult,
  type SettingsStatus,
} from '@manara/player-contract/settings'
import type { SettingsStore } from './settings.store.ts'

export type SettingsDeps = {
  settings: SettingsStore
  events: EventBus<PlayerEvents>
  /** Lowers a volume that is above a new limit. */
  applyVolumeLimit(limit: number): Promise<void>
}

const tags = ['settings']

export function settingsRoutes(http: Http, { settings, events, applyVolumeLimit }: SettingsDeps) {
  const status = (): SettingsStatus => ({
    auto_resume: settings.read('auto_resume'),
    max_volume: settings.read('max_volume'),
  })

  function saved() {
    events.emit('settings', status())
    return { success: true, ...status() } as const
  }

  http.post(
    '/settings/auto-resume',
    {
      schema: {
        tags,
        summary: 'Whether playback goes on by itself after a power cut',
        body: AutoResumeBody,
        response: { 200: SettingsResult },
      },
    },
    ({ body }) => {
      settings.save('auto_resume', body.enabled)
      return saved()
    },
  )

  http.post(
    '/settings/max-volume',
    {
      schema: {
        tags,
        summary: 'The loudest volume anyone can set',
        body: MaxVolumeBody,
        response: { 200: SettingsResult },
      },
    },
    async ({ body }) => {
      settings.save('max_volume', body.max_volume)
      await applyVolumeLimit(body.max_volume)
      return saved()
    },
  )
}
