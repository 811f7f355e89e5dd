import type { NfcReader, ReaderEvent } from '../../ports/nfc-reader.ts'

/** Takes what a reader reports, to be asked for one by one. */
export function watchedReader(reader: NfcReader) {
  const heard: ReaderEvent[] = []
  let wake = () => {}

  return {
    start: () =>
      reader.start((event) => {
        heard.push(event)
        wake()
      }),
    /** What it reported next, once it has: `ready`, `empty`, `card UID` or `lost: reason`. */
    async next(): Promise<string> {
      for (;;) {
        const event = heard.shift()
        if (event) return describe(event)
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    /** What it reported and was not asked for. */
    rest: () => heard.splice(0).map(describe),
  }
}

function describe(event: ReaderEvent): string {
  if (event.type === 'card') return `card ${event.uid}`
  return event.type === 'lost' ? `lost: ${event.reason}` : event.type
}
