import { effect, signal } from '@preact/signals'
import type { Digits, Language } from './words.ts'

export type Theme = 'auto' | 'light' | 'dark'

/** What this browser remembers. A private window may refuse to, so every use can fail. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const oneOf = <Value extends string>(text: string | null, values: readonly Value[]) =>
  values.find((value) => value === text)

/** How this browser shows things: the service has settings of its own. */
export function createPreferences(memory: Memory, browserLanguages: readonly string[]) {
  const known = (text: string | null) => oneOf<Language>(text, ['ar', 'en'])
  const spoken = browserLanguages.map((tag) => known(tag.slice(0, 2).toLowerCase()))
  const language = signal(known(memory.getItem('language')) ?? spoken.find(Boolean) ?? 'en')
  const theme = signal<Theme>(oneOf(memory.getItem('theme'), ['light', 'dark']) ?? 'auto')
  const digits = signal<Digits>(oneOf(memory.getItem('digits'), ['arab', 'latn']) ?? 'auto')
  const chosen = { language, theme, digits }

  const initial = { language: language.value, theme: theme.value, digits: digits.value }
  effect(() => {
    for (const [name, { value }] of Object.entries(chosen)) {
      // What nobody has chosen follows the machine.
      if (value === initial[name as keyof typeof initial] && !memory.getItem(name)) continue
      memory.setItem(name, value)
    }
  })
  return chosen
}
