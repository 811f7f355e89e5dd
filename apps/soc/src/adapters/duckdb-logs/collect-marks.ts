import { isAscii } from 'node:buffer'
import type { GramCollector } from './gram-filter.ts'
import type { PlainRows } from './mark-bytes.ts'
import type { PackedTexts, Slice } from './packed-logs.ts'

/** `vals` holds what stands neither in the message nor in a field, so these two are all of an event. */
export function collectMarks(collector: GramCollector, slices: readonly Slice[]) {
  const plain: PlainRows[] = []
  for (const { batch, from, to } of slices) {
    const { id, message, vals, sep } = batch.texts
    const divide = (kind: PlainRows['kind'], column: PackedTexts, ways: Ways) =>
      plain.push(...plainRows({ column, from, to, kind }, ways))
    divide('id', id, { other: collector.addId })
    divide('text', message, { other: collector.addText })
    // Separators of one byte stand in no value; where others had to be found, a value may hold those.
    const hasOwn = (row: number) =>
      (sep.starts[row + 1] as number) - (sep.starts[row] as number) <= 2
    divide('list', vals, {
      other: (text, row) => {
        if (!hasOwn(row)) collector.addText(text)
        else
          for (const value of text.replaceAll(INNER, OUTER).split(OUTER)) collector.addText(value)
      },
      isPlainRow: hasOwn,
    })
  }
  collector.addPlain(plain)
}

const [OUTER, INNER] = ['\x1f', '\x1e']

type Ways = {
  other(text: string, row: number): void
  isPlainRow?(row: number): boolean
}

/** Most batches have only letters of one byte; where one has others, each text is looked at. */
function plainRows({ column, from, to, kind }: PlainRows, { other, isPlainRow }: Ways) {
  const { starts, isNull, heap } = column
  const isAllPlain = isAscii(heap.subarray(starts[from], starts[to]))
  const runs: PlainRows[] = []
  let first = from
  for (let row = from; row < to; row++) {
    const start = starts[row] as number
    const end = starts[row + 1] as number
    const isPlain = isAllPlain || isAscii(heap.subarray(start, end))
    if (isNull[row] === 1 || (isPlain && (isPlainRow === undefined || isPlainRow(row)))) continue
    if (row > first) runs.push({ column, from: first, to: row, kind })
    first = row + 1
    other(heap.toString('utf8', start, end), row)
  }
  if (to > first) runs.push({ column, from: first, to, kind })
  return runs
}
