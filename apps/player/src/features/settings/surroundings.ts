import type { Board } from '../../ports/board.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Wifi, WifiStatus } from '../../ports/wifi.ts'

export type Surroundings = WifiStatus & { rtc_temperature: number | undefined }

export type SurroundingsDeps = {
  board: Pick<Board, 'rtc'>
  wifi: Pick<Wifi, 'status'>
  clock: Clock
  onChange(): void
}

const LOOK_EVERY_MS = 60_000
// Whoever polls the settings must not keep the box busy asking NetworkManager.
const FRESH_MS = 5_000

/** What the settings tell of the world outside; looked at now and then, and again when it is asked for. */
export function createSurroundings({ board, wifi, clock, onChange }: SurroundingsDeps) {
  let known: Surroundings = { connected: false, ssid: '', ip: '', rtc_temperature: undefined }
  let lookedAt = Number.NEGATIVE_INFINITY
  let looking: Promise<void> | undefined
  let endLooks = () => {}

  async function look(): Promise<boolean> {
    const [network, rtc] = await Promise.all([wifi.status(), board.rtc()])
    const before = known
    known = { ...network, rtc_temperature: rtc?.temperature }
    lookedAt = clock.monotonic()
    // The temperature alone is no news: it flickers.
    return (
      before.connected !== known.connected || before.ssid !== known.ssid || before.ip !== known.ip
    )
  }

  /** Those who ask at the same time share one look. */
  function refresh(): Promise<void> {
    looking ??= look()
      .then((isNews) => (isNews ? onChange() : undefined))
      .finally(() => {
        looking = undefined
      })
    return looking
  }

  return {
    known: () => known,
    /** For one who tells the news anyway. */
    async lookQuietly() {
      await look()
    },
    async refreshIfStale() {
      if (clock.monotonic() - lookedAt > FRESH_MS) await refresh()
    },
    async start() {
      await look()
      endLooks = clock.every(LOOK_EVERY_MS, () => void refresh())
    },
    stop: () => endLooks(),
  }
}
