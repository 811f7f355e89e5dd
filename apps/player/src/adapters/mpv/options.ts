import type { StreamTimings } from '../stream-fetch.ts'
import type { Watch } from './supervisor.ts'

export type EngineOptions = {
  /** mpv's name for the output driver; without one it chooses. */
  ao?: string
  /** One of the driver's devices. */
  device?: string
  command?: string
  timings?: Partial<StreamTimings>
  watch?: Partial<Watch>
  /** How long a file may take until it sounds, and stand still when it does. */
  load_ms?: number
  still_ms?: number
}
