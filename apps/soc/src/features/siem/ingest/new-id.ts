import { randomFillSync } from 'node:crypto'

const POOL = Buffer.alloc(8 * 1_024)

/** UUIDv7: sorts by time, also within one millisecond of one process. */
export function createNewId(now: () => number = Date.now): () => string {
  let used = POOL.length
  let lastMs = 0
  let sequence = 0
  let time = ''

  function begin(ms: number) {
    lastMs = ms
    sequence = 0
    const hex = ms.toString(16).padStart(12, '0')
    time = `${hex.slice(0, 8)}-${hex.slice(8)}-7`
  }

  return () => {
    const ms = now()
    if (ms > lastMs) begin(ms)
    else if (sequence < 0xfff) sequence += 1
    // More than 12 bits within a millisecond: borrow the next one.
    else begin(lastMs + 1)
    if (used + 8 > POOL.length) {
      randomFillSync(POOL)
      used = 0
    }
    // The variant, 10 in binary, stands in the first two bits.
    POOL[used] = ((POOL[used] as number) & 0x3f) | 0x80
    const tail = POOL.toString('hex', used, used + 8)
    used += 8
    const order = sequence.toString(16).padStart(3, '0')
    return `${time}${order}-${tail.slice(0, 4)}-${tail.slice(4)}`
  }
}
