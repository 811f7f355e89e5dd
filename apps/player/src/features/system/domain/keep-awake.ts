import type { PlayerEvents } from '@manara/player-contract/events'
import type { PlaybackStatus } from '@manara/player-contract/playback'

type Circumstances = {
  playback(): PlaybackStatus
  isUpdating(): boolean
  /** Dashboards that are connected now. */
  dashboardCount(): number
}

/** The contract's reasons to stay awake, each asked anew. Its drills are the repetitions of the hifz modes. */
export type KeepAwake = Record<
  'playback' | 'hifz_gap' | 'firmware_update' | 'dashboard',
  () => boolean
>

export const keepAwake = ({ playback, isUpdating, dashboardCount }: Circumstances): KeepAwake => ({
  playback: () => ['playing', 'buffering'].includes(playback().state),
  hifz_gap: () => playback().state === 'playing' && !!playback().hifz?.waiting,
  firmware_update: isUpdating,
  dashboard: () => dashboardCount() > 0,
})

// These happen without anybody's doing, so they do not keep the box awake.
const BY_ITSELF = new Set<keyof PlayerEvents>([
  'battery',
  'library',
  'prayer',
  'progress',
  'storage',
  'system',
  'verse',
  'verses',
])

/** Whether an event means that somebody did something. */
export const isActivity = ({ event }: { event: keyof PlayerEvents }) => !BY_ITSELF.has(event)
