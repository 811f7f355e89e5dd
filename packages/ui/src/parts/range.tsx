import { useSignal } from '@preact/signals'

export type RangeProps = {
  label: string
  value: number
  max: number
  step?: number
  valueText(value: number): string
  /** While it is held. */
  onHold?(value: number): void
  /** When it is let go. */
  onSet(value: number): void
  /** What is shown while it is held is for the one who holds it. */
  onShow?(value: number | null): void
  disabled?: boolean
}

/** A slider that shows the held value at once and tells it when it is let go. Left to right always. */
export function Range({
  label,
  value,
  max,
  step = 1,
  valueText,
  onHold,
  onSet,
  onShow,
  disabled = false,
}: RangeProps) {
  const held = useSignal<number | null>(null)
  const shown = held.value ?? value
  const show = (next: number | null) => {
    held.value = next
    onShow?.(next)
  }
  return (
    <input
      type="range"
      dir="ltr"
      class="range"
      aria-label={label}
      aria-valuetext={valueText(shown)}
      min={0}
      max={max}
      step={step}
      value={shown}
      disabled={disabled}
      ref={(input) =>
        input?.style.setProperty('--part', String(max > 0 ? Math.min(1, shown / max) : 0))
      }
      onInput={({ currentTarget }) => {
        show(Number(currentTarget.value))
        onHold?.(Number(currentTarget.value))
      }}
      onChange={({ currentTarget }) => {
        show(null)
        onSet(Number(currentTarget.value))
      }}
    />
  )
}
