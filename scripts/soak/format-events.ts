import { CATALOGUE } from '../../apps/soc/src/features/siem/normalise/catalogue/catalogue.ts'

type Format = (typeof CATALOGUE)[number]
type Event = Format['samples'][number]['event']

/** What formats put between and around values. */
const PIECES = ['a', ' a=', ' a="', '\\"', ',"', '|', ':', '[', '(', '{"a":', '\n', '\ud800é']
const LENGTHS = [200, 14_000]

export const FORMATS = CATALOGUE.map(({ id }) => id)

const samplesOf = (id: string) => CATALOGUE.find((one) => one.id === id)?.samples ?? []

/** As they are, which their parser reads. */
export const sampleEvents = (id: string): object[] =>
  samplesOf(id).map(({ event, program }) => asEvent(event, program))

/** Made long in the middle. */
export const stretchedEvents = (id: string): object[] =>
  samplesOf(id).flatMap(({ event, program }) =>
    LENGTHS.flatMap((length) =>
      PIECES.map((piece) => asEvent(stretched(event, piece, length), program)),
    ),
  )

const asEvent = (event: Event, program: string | undefined): object =>
  typeof event === 'string' ? { message: event, ...(program ? { process: program } : {}) } : event

/** One value of an object, or the middle of a line. */
function stretched(event: Event, piece: string, length: number): Event {
  const more = piece.repeat(Math.ceil(length / piece.length))
  if (typeof event === 'string') {
    const middle = Math.floor(event.length / 2)
    return event.slice(0, middle) + more + event.slice(middle)
  }
  const names = Object.keys(event)
  const name = names[more.length % names.length] ?? 'a'
  return { ...event, [name]: more }
}
