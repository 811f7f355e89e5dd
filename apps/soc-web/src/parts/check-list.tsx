type CheckListProps<Value> = {
  label: string
  options: readonly { value: Value; label: string; hint?: string }[]
  chosen: readonly Value[]
  onChoose(chosen: Value[]): void
}

/** Some of many, all in sight, in the order in which they are listed. */
export const CheckList = <Value extends string>(props: CheckListProps<Value>) => (
  <fieldset class="check-list">
    <legend>{props.label}</legend>
    {props.options.map(({ value, label, hint }) => (
      <label key={value}>
        <input
          type="checkbox"
          checked={props.chosen.includes(value)}
          onChange={({ currentTarget: { checked } }) =>
            props.onChoose(
              props.options
                .map((option) => option.value)
                .filter((one) => (one === value ? checked : props.chosen.includes(one))),
            )
          }
        />
        <span>{label}</span>
        {hint && <small>{hint}</small>}
      </label>
    ))}
  </fieldset>
)
