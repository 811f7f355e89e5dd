import { useId } from 'preact/hooks'

type SelectProps<Value> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onChoose(value: Value): void
  hint?: string
}

/** One of many: the phone's own wheel or list. */
export function Select<Value extends string | number>({
  label,
  value,
  options,
  onChoose,
  hint,
}: SelectProps<Value>) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select
        id={id}
        value={String(value)}
        onChange={({ currentTarget }) => {
          const chosen = options[currentTarget.selectedIndex]
          if (chosen) onChoose(chosen.value)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={String(option.value)}>
            {option.label}
          </option>
        ))}
      </select>
      {hint && <small>{hint}</small>}
    </div>
  )
}
