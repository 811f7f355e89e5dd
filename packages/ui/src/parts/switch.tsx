import { useId } from 'preact/hooks'

type SwitchProps = {
  label: string
  hint?: string
  isOn: boolean
  onSwitch(isOn: boolean): void
}

export function Switch({ label, hint, isOn, onSwitch }: SwitchProps) {
  const id = useId()
  return (
    <label class="switch">
      <span>
        {label}
        {hint && <small id={id}>{hint}</small>}
      </span>
      <input
        type="checkbox"
        role="switch"
        aria-checked={isOn}
        aria-describedby={hint ? id : undefined}
        checked={isOn}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
    </label>
  )
}
