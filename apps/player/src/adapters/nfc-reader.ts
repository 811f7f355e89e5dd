import { existsSync } from 'node:fs'
import type { Clock } from '../ports/clock.ts'
import type { NfcReader } from '../ports/nfc-reader.ts'
import { keepReader, NoReader, type Open } from './nfc/keep-reader.ts'
import { openPcsc, PCSCD_SOCKET } from './pcsc-reader.ts'
import { openPn532 } from './pn532-reader.ts'
import { createRunCommand } from './run-command.ts'
import { openSim } from './sim-reader.ts'

export type NfcOptions = {
  /** `auto`, `pn532:` and the path of a serial device, `pcsc`, `sim` or `off`. */
  choice: string
  dataDir: string
  searchPath: string
  clock: Clock
  /** Where a test puts them. */
  places?: { pn532: string; pcscd: string }
}

/** The name that a udev rule gives to a module: other serial devices are never written to. */
const PLACES = { pn532: '/dev/pn532', pcscd: PCSCD_SOCKET }

/** The reader that was chosen. One that is not there is looked for until it is. */
export function createNfcReader(options: NfcOptions): NfcReader {
  const { choice, clock, dataDir, places = PLACES } = options
  if (choice === 'off') return noReader
  const run = createRunCommand(options.searchPath)
  const pn532 =
    (path: string): Open =>
    (see) =>
      openPn532({ path, clock, run }, see)
  const pcsc: Open = (see) => openPcsc({ socket: places.pcscd, clock }, see)

  /** Asked anew each time, so that what is plugged in later is found. */
  const whateverIsThere: Open = async (see) => {
    if (existsSync(places.pn532)) return pn532(places.pn532)(see)
    if (existsSync(places.pcscd)) return pcsc(see)
    throw new NoReader(`there is neither pcscd nor ${places.pn532}`)
  }

  function chosen(): Open {
    if (choice === 'auto') return whateverIsThere
    if (choice === 'pcsc') return pcsc
    if (choice === 'sim') return (see) => openSim({ dataDir, clock }, see)
    return pn532(choice.slice('pn532:'.length))
  }

  return keepReader(chosen(), clock)
}

const noReader: NfcReader = {
  status: () => ({ adapter: 'none', present: false, name: '' }),
  start: async () => {},
  stop: async () => {},
}
