import type { PrayerStatus } from '@manara/player-contract/prayer'
import type { PrayerConfig, PrayerConfigBody } from '@manara/player-contract/prayer-config'
import { computed, signal } from '@preact/signals'
import type { Api } from './api.ts'
import type { Attempt } from './attempt.ts'
import type { Box } from './box.ts'

type Deps = { box: Pick<Box, 'prayer' | 'lay'>; api: Pick<Api, 'post'>; attempt: Attempt }

/**
 * Changes to how the box computes and calls. They show at once and go one after the other: the next
 * tap counts on from what this phone asked for, not from what the box has heard of it.
 */
export function createPrayerSettings({ box, api, attempt }: Deps) {
  const asked = signal<PrayerConfigBody[]>([])
  let last: Promise<unknown> = Promise.resolve()

  async function send(body: PrayerConfigBody) {
    const isDone = await attempt(async () => {
      const { success: _, ...prayer } = await api.post<PrayerStatus & { success: true }>(
        '/prayer/config',
        body,
      )
      box.lay({ prayer: prayer as PrayerStatus })
    })
    asked.value = asked.value.filter((one) => one !== body)
    return isDone
  }

  return {
    config: computed(() => {
      const heard = box.prayer.value?.config
      return heard && asked.value.reduce<PrayerConfig>(over, heard)
    }),
    set(body: PrayerConfigBody): Promise<boolean> {
      asked.value = [...asked.value, body]
      const sent = last.then(() => send(body))
      last = sent
      return sent
    },
  }
}

/** What is left out stays as it is, also inside of a part. */
const over = <Whole extends object>(whole: Whole, part: object): Whole => {
  const parts = Object.entries(part).map(([name, value]) => [
    name,
    isPart(value) ? over(whole[name as never] as object, value) : value,
  ])
  return { ...whole, ...Object.fromEntries(parts) }
}

const isPart = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
