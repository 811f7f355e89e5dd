import type { StoredLog } from '../../ports/log-store.ts'
import { type DeviceSighting, readSightings, type WriteSighting } from './read-sightings.ts'

/** Several events of one machine, or of one who writes to another, joined. */
export type NotedDevice = Omit<DeviceSighting, 'at'> & { firstAt: number; lastAt: number }
export type NotedWrite = Omit<WriteSighting, 'at'> & {
  firstAt: number
  lastAt: number
  count: number
}
export type Noted = { devices: NotedDevice[]; writes: NotedWrite[] }

const MOST_WAITING = 5_000
const MOST_REMEMBERED = 50_000
const REFRESH_MS = 60_000

/**
 * What events have told and is not stored yet. Bounded: a machine that talks all day is one entry, and
 * what is stored already is noted again only after a minute.
 */
export function createNotebook(now: () => number) {
  const devices = new Map<string, NotedDevice>()
  const writes = new Map<string, NotedWrite>()
  const storedAt = new Map<string, number>()
  let left = 0
  let readUntil = 0

  function noteDevice(seen: DeviceSighting) {
    const key = deviceKey(seen)
    if ((storedAt.get(key) ?? 0) > now() - REFRESH_MS) return
    const before = devices.get(key)
    if (!before && devices.size >= MOST_WAITING) left += 1
    else devices.set(key, before ? joined(before, seen) : { ...seen, ...at(seen) })
  }

  function noteWrite(seen: WriteSighting) {
    const key = `${seen.from} ${seen.to} ${seen.protocol}`
    const before = writes.get(key)
    if (!before && writes.size >= MOST_WAITING) left += 1
    else if (!before) writes.set(key, { ...seen, ...at(seen), count: 1 })
    else {
      before.firstAt = Math.min(before.firstAt, seen.at)
      before.lastAt = Math.max(before.lastAt, seen.at)
      before.count += 1
    }
  }

  return {
    /** `receivedAt` is when these came in, and others in which there was nothing to note. */
    note(logs: StoredLog[], receivedAt: number) {
      for (const log of logs) {
        const { devices: seen, write } = readSightings(log)
        for (const device of seen) noteDevice(device)
        if (write) noteWrite(write)
      }
      if (receivedAt > readUntil) readUntil = receivedAt
    },
    isEmpty: () => devices.size + writes.size === 0,
    /** The time at which the last of what was noted came in. */
    readUntil: () => readUntil,
    /** Some of it, which is no longer waiting. */
    take(most: number): Noted {
      return { devices: firstOf(devices, most), writes: firstOf(writes, most) }
    },
    /** It could not be stored and waits again. */
    putBack(noted: Noted) {
      for (const one of noted.devices)
        if (!devices.has(deviceKey(one))) devices.set(deviceKey(one), one)
      for (const one of noted.writes) {
        const key = `${one.from} ${one.to} ${one.protocol}`
        if (!writes.has(key)) writes.set(key, one)
      }
    },
    stored({ devices: written }: Noted) {
      if (storedAt.size > MOST_REMEMBERED) storedAt.clear()
      for (const one of written) storedAt.set(deviceKey(one), now())
    },
    /** How many were more than there is room for, since the last time somebody asked. */
    takeLeft() {
      const count = left
      left = 0
      return count
    },
  }
}

const deviceKey = ({
  mac,
  address,
  protocol,
}: Pick<DeviceSighting, 'mac' | 'address' | 'protocol'>) =>
  `${mac ?? ''} ${address ?? ''} ${protocol}`

const at = ({ at: moment }: { at: number }) => ({ firstAt: moment, lastAt: moment })

const joined = (a: NotedDevice, b: DeviceSighting): NotedDevice => ({
  ...a,
  hostname: a.hostname ?? b.hostname,
  vendor: a.vendor ?? b.vendor,
  model: a.model ?? b.model,
  firmware_version: a.firmware_version ?? b.firmware_version,
  isClient: a.isClient && b.isClient,
  firstAt: Math.min(a.firstAt, b.at),
  lastAt: Math.max(a.lastAt, b.at),
})

function firstOf<Value>(map: Map<string, Value>, most: number): Value[] {
  const taken: Value[] = []
  for (const [key, value] of map) {
    if (taken.length >= most) break
    taken.push(value)
    map.delete(key)
  }
  return taken
}
