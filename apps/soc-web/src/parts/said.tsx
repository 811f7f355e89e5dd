import { RecordName } from './record-name.tsx'
import { piecesOf } from './sentence.ts'
import { Moment } from './when.tsx'

/** With the names of what it is about, and times as they are here. */
export const Said = ({ text }: { text: string }) => (
  <>
    {piecesOf(text).map((piece, place) => {
      if (typeof piece === 'string') return piece
      if ('at' in piece) return <Moment key={place} at={piece.at} />
      return <RecordName key={`${piece.id} ${place}`} {...piece} />
    })}
  </>
)
