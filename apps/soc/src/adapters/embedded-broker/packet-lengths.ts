const LENGTH_BYTES = 4

/**
 * Follows the lengths that MQTT packets begin with. Of each piece it is told, it answers how many of
 * its bytes end packets that are whole; undefined once a length is above what is allowed, or is none.
 */
export function createPacketLengths(most: { first: number; later: number }) {
  let allowed = most.first
  /** Bytes of the length that were read; undefined before a packet has begun. */
  let lengthBytes: number | undefined
  let length = 0
  let left = 0

  function readLength(byte: number): 'goes on' | 'known' | 'refused' {
    const read = lengthBytes ?? 0
    length += (byte & 0x7f) * 128 ** read
    lengthBytes = read + 1
    if (length > allowed) return 'refused'
    if (byte < 0x80) return 'known'
    return lengthBytes < LENGTH_BYTES ? 'goes on' : 'refused'
  }

  return (piece: Buffer): number | undefined => {
    let whole = 0
    let at = 0
    while (at < piece.length) {
      if (left > 0) {
        const taken = Math.min(left, piece.length - at)
        left -= taken
        at += taken
        if (left === 0) whole = at
        continue
      }
      const byte = piece[at] ?? 0
      at += 1
      if (lengthBytes === undefined) {
        lengthBytes = 0
        continue
      }
      const state = readLength(byte)
      if (state === 'refused') return undefined
      if (state === 'goes on') continue
      left = length
      if (left === 0) whole = at
      lengthBytes = undefined
      length = 0
      allowed = most.later
    }
    return whole
  }
}
