/** Somebody who has written to the device before. */
export type KnownWriter = {
  address: string
  protocol: string
  writes: number
  is_usual: boolean
  first_at: number
}

type Write = { from: string; protocol: string; count: number; firstAt: number; lastAt: number }
type Place = { site_id: string; zone: string } | undefined

const LEARNING_MS = 24 * 3_600_000
const ENOUGH_WRITES = 10

/**
 * Whether a command comes from an unusual place. Who has written before is what they were then. The
 * first who writes is taken for its master, unless they are of another zone. Once there is a usual
 * one, somebody from another place is unusual at once; somebody of the same place after a day, or
 * after ten commands by the usual ones.
 */
export function isUnusual(
  write: Write,
  known: KnownWriter[],
  place: { device: Place; writer: Place; isSameSubnet(address: string): boolean },
): boolean {
  const before = known.find(
    ({ address, protocol }) => address === write.from && protocol === write.protocol,
  )
  if (before) return !before.is_usual
  const usual = known.filter(({ is_usual }) => is_usual)
  if (place.device && !isSamePlace(place.device, place.writer)) return true
  if (usual.length === 0) return false
  const isFromKnownPlace =
    place.device !== undefined || usual.some(({ address }) => place.isSameSubnet(address))
  const commands = usual.reduce((sum, { writes }) => sum + writes, 0)
  const since = Math.min(...usual.map(({ first_at }) => first_at))
  const isLearnt = commands >= ENOUGH_WRITES || write.lastAt - since >= LEARNING_MS
  return !isFromKnownPlace || isLearnt
}

const isSamePlace = (a: Place, b: Place) =>
  a !== undefined && b !== undefined && a.site_id === b.site_id && a.zone === b.zone
