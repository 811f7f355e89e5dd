export type Spans = ReturnType<typeof createSpans>

type Span = { at: number; frames: number; sound: number }

/** Which frames of the line carry the sound of a run: silence and other runs lie in between. */
export function createSpans() {
  let spans: Span[] = []
  let total = 0

  return {
    wrote(at: number, frames: number) {
      const last = spans.at(-1)
      if (last && last.at + last.frames === at) last.frames += frames
      else spans.push({ at, frames, sound: total })
      total += frames
    },
    total: () => total,
    /** Frames of sound that have been heard when the line has come this far. */
    heard(line: number): number {
      const current = spans.findLastIndex(({ at }) => at <= line)
      if (current > 0) spans = spans.slice(current)
      const [first] = spans
      if (!first) return total
      return first.sound + Math.max(0, Math.min(first.frames, line - first.at))
    },
  }
}
