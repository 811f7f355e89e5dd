import { type Signal, signal } from '@preact/signals'

const kept = new Map<string, Signal<string>>()

/** What was typed there is still there for who looks elsewhere and comes back, until the tab is loaded anew. */
export function keptText(name: string): Signal<string> {
  const found = kept.get(name) ?? signal('')
  kept.set(name, found)
  return found
}
