import { Icon } from '@manara/ui/parts/icon'
import type { Signal } from '@preact/signals'

export const SearchField = ({ label, value }: { label: string; value: Signal<string> }) => (
  <label class="search">
    <Icon name="search" />
    <span class="hidden">{label}</span>
    <input
      type="search"
      // Empty, it is as the page: its hint stands where the typing begins.
      dir={value.value === '' ? undefined : 'auto'}
      placeholder={label}
      value={value.value}
      autocomplete="off"
      autocapitalize="off"
      spellcheck={false}
      onInput={({ currentTarget }) => {
        value.value = currentTarget.value
      }}
    />
  </label>
)
