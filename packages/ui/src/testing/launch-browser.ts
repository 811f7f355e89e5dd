import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

export const CHROMIUM = '/usr/bin/chromium'
/** The same engine without windows, which nobody sees in a test: half the work. */
const SHELL = '/usr/bin/chromium-headless-shell'

/** Debian's, which speaks to nobody on its own. */
export const launchBrowser = (program = existsSync(SHELL) ? SHELL : CHROMIUM): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
