import type { Span } from './align-verses.ts'

/** Verse number -> where a person heard it begin, in milliseconds. */
export type Marks = ReadonlyMap<number, number>

/** So far from the beginning of a span, a mark is not that beginning heard early or late. */
const REACTION_MS = 600

/**
 * The span with which each marked verse begins. A mark in the middle of a span says that two verses
 * meet there without a pause, so the span is split.
 */
export function pinSpans(
  spans: readonly Span[],
  marks: Marks,
): { spans: Span[]; at: Map<number, number> } {
  const split = [...spans]
  for (const mark of marks.values()) {
    const inside = split.findIndex(([from, to]) => mark > from && mark < to)
    const span = split[inside]
    if (!span) continue
    const [from, to] = span
    const isEdge = mark - from <= REACTION_MS || to - mark <= REACTION_MS
    if (!isEdge) split.splice(inside, 1, [from, mark], [mark, to])
  }
  const at = new Map<number, number>()
  for (const [verse, mark] of marks) at.set(verse - 1, nearest(split, mark))
  return { spans: split, at }
}

function nearest(spans: readonly Span[], mark: number): number {
  let best = 0
  for (const [index, [from]] of spans.entries()) {
    if (Math.abs(from - mark) < Math.abs((spans[best]?.[0] ?? 0) - mark)) best = index
  }
  return best
}
