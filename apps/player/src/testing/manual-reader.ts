import type { NfcReader, ReaderEvent, ReaderStatus } from '../ports/nfc-reader.ts'

const PRESENT: ReaderStatus = { adapter: 'sim', present: true, name: 'in the hand of a test' }
const ABSENT: ReaderStatus = { adapter: 'none', present: false, name: '' }

/** A reader whose cards a test puts down and lifts, and whose cable it pulls. */
export function createManualReader(lying?: string) {
  let status = PRESENT
  let report: (event: ReaderEvent) => void = () => {}

  const look = (uid: string | undefined) =>
    report(uid === undefined ? { type: 'empty' } : { type: 'card', uid })

  const port: NfcReader = {
    status: () => status,
    async start(listener) {
      report = listener
      report({ type: 'ready' })
      look(lying)
    },
    async stop() {
      report = () => {}
    },
  }
  return {
    port,
    put: (uid: string) => look(uid),
    lift: () => look(undefined),
    unplug(reason = 'the cable was pulled') {
      status = ABSENT
      report({ type: 'lost', reason })
    },
    plugIn(uid?: string) {
      status = PRESENT
      report({ type: 'ready' })
      look(uid)
    },
  }
}
