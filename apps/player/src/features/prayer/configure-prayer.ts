import { AppError, invalid } from '@manara/kit/errors'
import type { PrayerConfig, PrayerConfigBody } from '@manara/player-contract/prayer-config'
import { hasMoved } from './domain/has-moved.ts'
import { merge } from './domain/merge.ts'
import { soundPaths } from './domain/sounds.ts'
import type { PrayerStore } from './prayer.store.ts'

export type ConfigurePrayerDeps = {
  store: PrayerStore
  /** The absolute path of a sound on the card or in the box; throws 400 naming `path`. */
  resolve(path: string): Promise<string>
  /** The box stands somewhere else now. */
  onMoved(): void
}

/** Checks what the schema cannot, and keeps it: on disk when this resolves. */
export async function configurePrayer(
  { store, resolve, onMoved }: ConfigurePrayerDeps,
  body: PrayerConfigBody,
): Promise<PrayerConfig> {
  await checkNewSounds(resolve, store.config(), changed(store.config(), body))
  // As it is now: while the card was asked, another phone may have changed another part.
  const before = store.config()
  const next = changed(before, body)
  store.save(next)
  if (hasMoved(before, next)) onMoved()
  return next
}

function changed(before: PrayerConfig, body: PrayerConfigBody): PrayerConfig {
  // Who sends a number wants that method, also from a client that has never heard of conventions.
  const choice = body.method === undefined ? {} : { convention: null }
  const next = merge<PrayerConfig>(before, { ...choice, ...body })
  if ((next.lat === null) !== (next.lng === null)) {
    throw invalid(next.lat === null ? 'lat' : 'lng', 'is required with the other coordinate')
  }
  if (next.convention === 'custom' && !next.custom_angles) {
    throw invalid('custom_angles', 'is required with convention custom')
  }
  return next
}

/** A path that stays is not asked for again: the card may be out while an offset is changed. */
async function checkNewSounds(
  resolve: ConfigurePrayerDeps['resolve'],
  before: PrayerConfig,
  next: PrayerConfig,
) {
  const known = new Set(Object.values(soundPaths(before)))
  for (const [field, path] of Object.entries(soundPaths(next))) {
    if (!known.has(path)) await checkSound(resolve, field, path)
  }
}

async function checkSound(resolve: ConfigurePrayerDeps['resolve'], field: string, path: string) {
  try {
    await resolve(path)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.status, error.message.replace(/^path/, field))
  }
}
