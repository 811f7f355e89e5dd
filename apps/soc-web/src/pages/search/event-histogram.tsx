import type { Histogram as Counts } from '@manara/soc-contract/siem'
import type { Signal } from '@preact/signals'
import { Histogram } from '../../parts/histogram.tsx'
import type { Drawn } from './use-search.ts'
import { useWords } from './words.ts'

const PARTS = ['info', 'low', 'medium', 'high', 'critical'] as const

type EventHistogramProps = { counts: Counts; drawn: Signal<Drawn>; onZoom(): void }

/** Events over time by severity; those without a known one come first. */
export function EventHistogram({ counts, drawn, onZoom }: EventHistogramProps) {
  const { w } = useWords()
  return (
    <Histogram
      label={w.histogram}
      bucketMs={counts.bucket_s * 1_000}
      buckets={counts.buckets.map(({ from, count, counts: parts }) => {
        const known = PARTS.map((name) => parts[name] ?? 0)
        const rest = count - known.reduce((sum, one) => sum + one, 0)
        return { from, counts: [rest, ...known] }
      })}
      drawn={drawn.value}
      onDraw={(next) => {
        drawn.value = next
      }}
      zoomLabel={w.zoom}
      onZoom={onZoom}
    />
  )
}
