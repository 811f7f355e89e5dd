import { useSignal } from '@preact/signals'
import { say } from '../here.ts'
import { barTimes } from './bar-times.ts'

type HistogramProps = {
  label: string
  buckets: readonly { from: string; counts: readonly number[] }[]
  bucketMs: number
  drawn: { from: string; to: string } | null
  onDraw(range: { from: string; to: string } | null): void
  zoomLabel: string
  onZoom(): void
}

const HEIGHT = 100

/** Counts over time. A stretch is drawn with the pointer or with Shift and the arrow keys. */
export function Histogram(props: HistogramProps) {
  const { label, buckets, bucketMs, drawn, onDraw, zoomLabel, onZoom } = props
  const held = useSignal<{ start: number; end: number } | null>(null)
  const most = Math.max(
    1,
    ...buckets.map(({ counts }) => counts.reduce((sum, one) => sum + one, 0)),
  )
  const width = 100 / Math.max(1, buckets.length)
  const timeOf = barTimes({
    first: buckets[0]?.from ?? '1970-01-01T00:00:00Z',
    last: buckets.at(-1)?.from ?? '1970-01-01T00:00:00Z',
  })
  const at = (event: PointerEvent, element: Element) => {
    const { left, width: wide } = element.getBoundingClientRect()
    const part = (event.clientX - left) / Math.max(1, wide)
    return Math.min(buckets.length - 1, Math.max(0, Math.floor(part * buckets.length)))
  }
  const endOf = (index: number) =>
    new Date(Date.parse(buckets[index]?.from ?? '') + bucketMs).toISOString()
  const tell = (start: number, end: number) => {
    const [first, last] = [Math.min(start, end), Math.max(start, end)]
    const from = buckets[first]?.from
    if (from) onDraw({ from, to: endOf(last) })
  }
  const isIn = (from: string) => !drawn || (from >= drawn.from && from < drawn.to)
  const indexOf = (time: string) => buckets.findIndex(({ from }) => from >= time)
  function key(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (event.key === 'Escape') return onDraw(null)
    if (event.key === 'Enter' && drawn) return onZoom()
    if (step === 0 || buckets.length === 0) return
    event.preventDefault()
    const first = drawn ? Math.max(0, indexOf(drawn.from)) : buckets.length - 1
    const after = drawn ? indexOf(drawn.to) : -1
    const last = drawn ? (after < 0 ? buckets.length : after) - 1 : first
    const limit = (index: number) => Math.min(buckets.length - 1, Math.max(0, index))
    if (event.shiftKey) tell(first, limit(last + step))
    else tell(limit(first + step), limit(first + step))
  }
  const middle = drawn
    ? ((Math.max(0, indexOf(drawn.from)) +
        (indexOf(drawn.to) < 0 ? buckets.length : indexOf(drawn.to))) /
        2) *
      width
    : 0
  return (
    // Time goes from left to right in every language.
    <figure class="histogram" dir="ltr">
      <div
        class="histogram-field"
        role="slider"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, buckets.length - 1)}
        aria-valuenow={drawn ? Math.max(0, indexOf(drawn.from)) : 0}
        aria-valuetext={drawn ? `${timeOf(drawn.from)} – ${timeOf(drawn.to)}` : label}
        tabIndex={0}
        onKeyDown={key}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId)
          const start = at(event, event.currentTarget)
          held.value = { start, end: start }
        }}
        onPointerMove={(event) => {
          if (!held.value) return
          held.value = { ...held.value, end: at(event, event.currentTarget) }
          tell(held.value.start, held.value.end)
        }}
        onPointerUp={(event) => {
          if (!held.value) return
          const end = at(event, event.currentTarget)
          const isClick = held.value.start === end && drawn !== null
          if (isClick) onDraw(null)
          else tell(held.value.start, end)
          held.value = null
        }}
      >
        <svg viewBox={`0 0 100 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
          {buckets.map(({ from, counts }, index) => {
            let below = 0
            return (
              <g key={from} data-in={isIn(from)}>
                <title>{`${timeOf(from)}: ${counts.reduce((sum, one) => sum + one, 0)}`}</title>
                <rect class="histogram-hit" x={index * width} y="0" width={width} height={HEIGHT} />
                {counts.map((count, part) => {
                  const height = (count / most) * HEIGHT
                  below += height
                  return (
                    <rect
                      key={part}
                      data-part={part}
                      x={index * width + width * 0.06}
                      y={HEIGHT - below}
                      width={width * 0.88}
                      height={height}
                    />
                  )
                })}
              </g>
            )
          })}
        </svg>
      </div>
      <p class="histogram-ends">
        <span>{buckets[0] && timeOf(buckets[0].from)}</span>
        <span>{say.value.fill(say.value.t.tallest, { n: most })}</span>
        <span>{buckets.length > 0 && timeOf(endOf(buckets.length - 1))}</span>
      </p>
      {drawn && (
        <p class="drawn" style={{ insetInlineStart: `${Math.min(88, Math.max(12, middle))}%` }}>
          {timeOf(drawn.from)} – {timeOf(drawn.to)}
          <button type="button" onClick={onZoom}>
            {zoomLabel}
          </button>
        </p>
      )}
    </figure>
  )
}
