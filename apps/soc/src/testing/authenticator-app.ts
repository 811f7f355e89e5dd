import { Secret, TOTP } from 'otpauth'

const PERIOD_MS = 30_000

/** An app that gives each code once: the next is always of a later step, and still within the window. */
export function createAuthenticatorApp(secret: string) {
  const totp = new TOTP({ secret: Secret.fromBase32(secret) })
  let last = 0
  return {
    next(): string {
      const current = Math.floor(Date.now() / PERIOD_MS)
      last = Math.max(current - 1, last + 1)
      if (last > current + 1) throw new Error('all codes of this time were used')
      return totp.generate({ timestamp: last * PERIOD_MS })
    },
    /** The one that `next` gave last. */
    again: () => totp.generate({ timestamp: last * PERIOD_MS }),
  }
}
