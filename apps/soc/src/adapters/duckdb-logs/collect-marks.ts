import { isAscii } from 'node:buffer'
import type { GramCollector } from './gram-filter.ts'
import type { PackedTexts, Slice } from './packed-logs.ts'

/** `vals` holds what stands neither in the message nor in a field, so these two are all of an event. */
export function collectMarks(collector: GramCollector, { batch, from, to }: Slice) {
  const { id, message, vals, sep } = batch.texts
  collectEach(id, from, to, {
    plain: collector.addIdBytes,
    other: collector.addId,
  })
  collectEach(message, from, to, {
    plain: (heap, start, end) => collector.addBytes(heap, start, end, false),
    other: collector.addText,
  })
  // Separators of one byte stand in no value; where others had to be found, a value may hold those.
  const hasOwn = (row: number) => (sep.starts[row + 1] as number) - (sep.starts[row] as number) <= 2
  collectEach(vals, from, to, {
    plain: (heap, start, end) => collector.addBytes(heap, start, end, true),
    other: (text, row) => {
      if (!hasOwn(row)) collector.addText(text)
      else for (const value of text.replaceAll(INNER, OUTER).split(OUTER)) collector.addText(value)
    },
    isPlainRow: hasOwn,
  })
}

const [OUTER, INNER] = ['\x1f', '\x1e']

type Ways = {
  plain(heap: Uint8Array, start: number, end: number): void
  other(text: string, row: number): void
  isPlainRow?(row: number): boolean
}

/** Most batches have only letters of one byte; where one has others, each text is looked at. */
function collectEach(
  { starts, isNull, heap }: PackedTexts,
  from: number,
  to: number,
  { plain, other, isPlainRow }: Ways,
) {
  const isAllPlain = isAscii(heap.subarray(starts[from], starts[to]))
  for (let row = from; row < to; row++) {
    if (isNull[row] === 1) continue
    const start = starts[row] as number
    const end = starts[row + 1] as number
    const isPlain = isAllPlain || isAscii(heap.subarray(start, end))
    if (isPlain && (isPlainRow === undefined || isPlainRow(row))) plain(heap, start, end)
    else other(heap.toString('utf8', start, end), row)
  }
}
