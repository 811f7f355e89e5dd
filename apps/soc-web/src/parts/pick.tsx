type PickProps<Value> = {
  label: string
  value: Value
  options: readonly { value: Value; label: string }[]
  onPick(value: Value): void
}

/** One of several, in the middle of what it is about: the label is read out but not shown. */
export const Pick = <Value extends string>({ label, value, options, onPick }: PickProps<Value>) => (
  <select
    class="pick"
    aria-label={label}
    value={value}
    onChange={({ currentTarget }) => {
      const picked = options[currentTarget.selectedIndex]
      if (picked) onPick(picked.value)
    }}
  >
    {options.map((option) => (
      <option key={option.value} value={option.value}>
        {option.label}
      </option>
    ))}
  </select>
)
