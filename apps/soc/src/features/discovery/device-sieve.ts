import type { StoredLog } from '../../ports/log-store.ts'
import { readSightings } from './read-sightings.ts'

/** Where events are read: those that tell of a machine of a plant, or of who writes to one. */
export const createSieve =
  () =>
  (log: StoredLog): boolean => {
    const { devices, write } = readSightings(log)
    return devices.length > 0 || write !== null
  }
