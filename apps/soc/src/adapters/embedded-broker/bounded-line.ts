import { Duplex } from 'node:stream'
import { createPacketLengths } from './packet-lengths.ts'

/** Many pieces of a few bytes take far more memory than their bytes: so many are put together. */
const MOST_PIECES = 64

/**
 * A connection whose packets are read whole and of a bounded size. One that says it is larger ends
 * the connection before its body is read: MQTT 3.1.1 has no packet to say why.
 */
export function boundedLine(
  socket: Duplex,
  bounds: { mostBytes: { first: number; later: number }; onTooLarge(): void },
): Duplex {
  const wholeBytesOf = createPacketLengths(bounds.mostBytes)
  let pieces: Buffer[] = []

  const line = new Duplex({
    read: () => void socket.resume(),
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    writev: (chunks, done) =>
      void socket.write(Buffer.concat(chunks.map(({ chunk }) => chunk)), done),
    final: (done) => void socket.end(done),
    destroy(error, done) {
      pieces = []
      socket.destroy()
      done(error)
    },
  })

  socket.on('data', (piece: Buffer) => {
    const whole = wholeBytesOf(piece)
    if (whole === undefined) {
      bounds.onTooLarge()
      return line.destroy()
    }
    if (whole > 0) {
      const isMoreWanted = line.push(Buffer.concat([...pieces, piece.subarray(0, whole)]))
      if (!isMoreWanted) socket.pause()
      pieces = []
    }
    if (whole < piece.length) pieces.push(piece.subarray(whole))
    if (pieces.length > MOST_PIECES) pieces = [Buffer.concat(pieces)]
  })
  socket.on('end', () => line.push(null))
  socket.on('error', (error) => line.destroy(error))
  socket.on('close', () => line.destroy())
  return line
}
