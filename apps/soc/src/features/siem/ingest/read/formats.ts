import { bulkPieces, documentPieces } from '../elastic/bulk.ts'
import { hecPieces, hecRawPieces, rawSpans } from '../hec/hec-pieces.ts'
import { nativePieces, nativeSpans } from '../native/native-pieces.ts'
import { splitLines } from '../native/split-json.ts'
import { jsonRecords, otlpPieces } from '../otlp/otlp-pieces.ts'
import { protoRecords } from '../otlp/otlp-proto.ts'
import type { Piece } from '../piece.ts'
import type { Format, Vouched } from './part.ts'

const NOTHING: Buffer = Buffer.alloc(0)

/** Some senders put a byte order mark before their text. */
const withoutMark = (body: Buffer) =>
  body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body

/** The events one by one; `kinds` is added to where the protocol says what to do with each. */
export function piecesOf(format: Format, sent = NOTHING, kinds: string[] = []): Iterable<Piece> {
  const body = withoutMark(sent)
  switch (format.kind) {
    case 'native':
      return vouchedFor(nativePieces(format.contentType, body), format.vouched)
    case 'hec':
      return hecPieces(body)
    case 'hec_raw':
      return hecRawPieces(body, format.query)
    case 'elastic':
      return bulkPieces(body, format.index, kinds)
    case 'document':
      return documentPieces(body, format)
    case 'otlp':
      return otlpPieces(recordsOf(format, sent))
    case 'syslog':
      return format.messages
  }
}

const vouchedFor = (pieces: Iterable<Piece>, vouched: Vouched | undefined): Iterable<Piece> =>
  vouched ? eachVouched(pieces, vouched) : pieces

function* eachVouched(pieces: Iterable<Piece>, vouched: Vouched): Iterable<Piece> {
  for (const piece of pieces) {
    yield 'rejected' in piece ? piece : { ...piece, ...vouched, isVouched: true }
  }
}

const recordsOf = ({ isProto }: { isProto: boolean }, sent: Buffer) =>
  isProto ? protoRecords(sent) : jsonRecords(withoutMark(sent))

/**
 * What tells how many events there are and that the body is whole, before any is stored: where they
 * lie if that can be seen without reading them.
 */
export function outlineOf(format: Format, sent = NOTHING): Iterable<unknown> {
  const body = withoutMark(sent)
  if (format.kind === 'native') return nativeSpans(format.contentType, body)
  if (format.kind === 'hec_raw') return rawSpans(body)
  if (format.kind === 'elastic') return splitLines(body)
  if (format.kind === 'otlp') return recordsOf(format, sent)
  return piecesOf(format, sent)
}
