import { useId } from 'preact/hooks'
import { Icon } from './icon.tsx'

type StepperProps = {
  label: string
  value: number
  shown: string
  min: number
  max: number
  step?: number
  lessLabel: string
  moreLabel: string
  onStep(value: number): void
}

/** A number that is counted up and down with the thumb. */
export function Stepper(props: StepperProps) {
  const { label, value, shown, min, max, step = 1, lessLabel, moreLabel, onStep } = props
  const id = useId()
  const button = (name: 'plus' | 'minus', text: string, next: number) => (
    <button
      type="button"
      class="button-round"
      aria-label={text}
      aria-describedby={id}
      disabled={next < min || next > max}
      onClick={() => onStep(next)}
    >
      <Icon name={name} />
    </button>
  )
  return (
    <div class="stepper">
      <span id={id}>{label}</span>
      <div dir="ltr">
        {button('minus', lessLabel, value - step)}
        <output aria-live="polite" dir="auto">
          {shown}
        </output>
        {button('plus', moreLabel, value + step)}
      </div>
    </div>
  )
}
