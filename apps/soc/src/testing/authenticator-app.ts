import { setTimeout as sleep } from 'node:timers/promises'
import { Secret, TOTP } from 'otpauth'

const PERIOD_MS = 30_000
/** A busy machine may take this long until it shows a code. */
const ON_ITS_WAY_MS = 15_000

/** An app that gives each code once: the next is always of a later step, and still within the window. */
export function createAuthenticatorApp(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  const stepOf = (time: number) => Math.floor(time / PERIOD_MS)
  let last = 0
  return {
    async next(): Promise<string> {
      last = Math.max(stepOf(Date.now() + ON_ITS_WAY_MS) - 1, last + 1)
      while (last > stepOf(Date.now()) + 1) await sleep(100)
      return totp.generate({ timestamp: last * PERIOD_MS })
    },
    /** The one that `next` gave last. */
    again: () => totp.generate({ timestamp: last * PERIOD_MS }),
  }
}
