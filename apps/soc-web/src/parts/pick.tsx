import { useRef } from 'preact/hooks'

type PickProps<Value> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  /** Answers false where it was refused: then what is true is shown again. */
  onPick(value: Value): unknown
}

/** One of several, in the middle of what it is about: the label is read out but not shown. */
export function Pick<Value extends string>({ label, value, options, onPick }: PickProps<Value>) {
  const current = useRef(value)
  current.current = value
  return (
    <select
      class="pick"
      aria-label={label}
      value={value}
      onChange={async ({ currentTarget }) => {
        const picked = options[currentTarget.selectedIndex]
        const isRefused = picked && (await onPick(picked.value)) === false
        if (isRefused) currentTarget.value = current.current
      }}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
