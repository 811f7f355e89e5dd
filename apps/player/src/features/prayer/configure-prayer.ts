import { AppError, invalid } from '@manara/kit/errors'
import type { PrayerConfig, PrayerConfigBody } from '@manara/player-contract/prayer'
import type { PrayerStore } from './prayer.store.ts'

export type ConfigurePrayerDeps = {
  store: PrayerStore
  resolve(relativePath: string): Promise<string>
}

/** Checks what the schema cannot, and keeps it: on disk when this resolves. */
export async function configurePrayer(
  { store, resolve }: ConfigurePrayerDeps,
  body: PrayerConfigBody,
): Promise<PrayerConfig> {
  const before = store.config()
  const next = merge(before, body)
  if ((next.lat === null) !== (next.lng === null)) {
    throw invalid(next.lat === null ? 'lat' : 'lng', 'is required with the other coordinate')
  }
  if (next.convention === 'custom' && !next.custom_angles) {
    throw invalid('custom_angles', 'is required with convention custom')
  }
  const { path } = next.adhan
  // A path that stays is not asked for again: the card may be out while an offset is changed.
  if (path !== '' && path !== before.adhan.path) await checkOnCard(resolve, path)
  store.save(next)
  return next
}

function merge(before: PrayerConfig, { adhan, ...body }: PrayerConfigBody): PrayerConfig {
  // Who sends a number wants that method, also from a client that has never heard of conventions.
  const choice = body.method === undefined ? {} : { convention: null }
  return {
    ...before,
    ...choice,
    ...defined(body),
    adhan: { ...before.adhan, ...defined(adhan ?? {}) },
  }
}

/** The schema lets `undefined` through where a field is optional, and that changes nothing. */
function defined<T extends object>(body: T): { [K in keyof T]-?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]-?: Exclude<T[K], undefined>
  }
}

async function checkOnCard(resolve: ConfigurePrayerDeps['resolve'], path: string) {
  try {
    await resolve(path)
  } catch (error) {
    if (error instanceof AppError) throw new AppError(error.status, `adhan.${error.message}`)
    throw error
  }
}
