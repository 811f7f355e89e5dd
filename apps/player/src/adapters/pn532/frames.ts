// Frames of the PN532 (user manual UM0701-02, 6.2.1): preamble, start code, length, data, sums.
const START = Buffer.from([0x00, 0xff])
const FROM_HOST = 0xd4
const FROM_CHIP = 0xd5

export function encodeCommand(...bytes: number[]): Buffer {
  const data = [FROM_HOST, ...bytes]
  return Buffer.from([
    ...[0x00, 0x00, 0xff, data.length, complement(data.length)],
    ...data,
    complement(sum(data)),
    0x00,
  ])
}

/**
 * Collects bytes as they come and gives back the answers in them, without the direction byte.
 * Acknowledgements, noise and frames with a wrong sum are skipped: the command behind them is asked
 * again when no answer has come in time.
 */
export function createAnswerReader(): (bytes: Buffer) => Buffer[] {
  let rest: Buffer = Buffer.alloc(0)

  return (bytes) => {
    const answers: Buffer[] = []
    rest = Buffer.concat([rest, bytes])
    for (;;) {
      const start = rest.indexOf(START)
      if (start < 0) {
        // The last byte may be the first half of a start code.
        rest = rest.subarray(-1)
        return answers
      }
      const length = rest[start + 2]
      const check = rest[start + 3]
      if (length === undefined || check === undefined) return answers
      const data = rest.subarray(start + 4, start + 4 + length)
      // An acknowledgement is "length 0"; so is the noise that only looks like a start code.
      if (length === 0 || ((length + check) & 0xff) !== 0) {
        rest = rest.subarray(start + 2)
        continue
      }
      const dataSum = rest[start + 4 + length]
      if (dataSum === undefined) return answers
      const isWhole = ((sum(data) + dataSum) & 0xff) === 0
      rest = rest.subarray(isWhole ? start + 5 + length : start + 2)
      if (isWhole && data[0] === FROM_CHIP) answers.push(Buffer.from(data.subarray(1)))
    }
  }
}

const sum = (bytes: Iterable<number>) => {
  let total = 0
  for (const byte of bytes) total += byte
  return total & 0xff
}
const complement = (byte: number) => (0x100 - byte) & 0xff
