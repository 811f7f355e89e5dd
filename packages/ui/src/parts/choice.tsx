import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

type ChoiceProps<Value> = {
  label: string
  /** The label is read out but not shown. */
  isLabelHidden?: boolean
  value: Value
  options: readonly { value: Value; label: string; picture?: ComponentChildren; hint?: string }[]
  onChoose(value: Value): void
  /** As wide as it needs, or all the same width. */
  shape?: 'chips' | 'tiles'
}

/** One of a few, all in sight. */
export function Choice<Value extends string | number>(props: ChoiceProps<Value>) {
  const { label, isLabelHidden = false, value, options, onChoose, shape = 'chips' } = props
  const name = useId()
  return (
    <fieldset class="choice" data-shape={shape}>
      <legend class={isLabelHidden ? 'hidden' : undefined}>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChoose(option.value)}
          />
          {option.picture}
          <span>{option.label}</span>
          {option.hint && <small>{option.hint}</small>}
        </label>
      ))}
    </fieldset>
  )
}
