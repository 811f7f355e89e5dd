import { Field } from '@manara/ui/parts/field'
import type { Signal } from '@preact/signals'
import type { ComponentProps } from 'preact'

type TextFieldProps = Omit<ComponentProps<typeof Field>, 'value' | 'onType'> & {
  /** Where what is typed is kept. */
  of: Signal<string>
}

export const TextField = ({ of, ...rest }: TextFieldProps) => (
  <Field
    {...rest}
    value={of.value}
    onType={(value) => {
      of.value = value
    }}
  />
)
