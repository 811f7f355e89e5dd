import { type Signal, signal } from '@preact/signals'

/** Takes away what was sent, and leaves what was typed meanwhile. */
export function takeSent(typed: Signal<string>, sent: string) {
  if (typed.value.startsWith(sent)) typed.value = typed.value.slice(sent.length).trimStart()
}

/**
 * What was typed and not sent: still there for who looks elsewhere and comes back, until the tab is
 * loaded anew, before which the browser asks.
 */
export function createUnsent() {
  const texts = new Map<string, Signal<string>>()
  const drafts = new Map<string, unknown>()

  return {
    text(name: string): Signal<string> {
      const found = texts.get(name) ?? signal('')
      texts.set(name, found)
      return found
    },
    draft: <Draft>(name: string) => drafts.get(name) as Draft | undefined,
    /** Without one when there is nothing to lose. */
    keepDraft(name: string, draft: unknown) {
      if (draft === undefined) drafts.delete(name)
      else drafts.set(name, draft)
    },
    isAny: () => drafts.size > 0 || [...texts.values()].some((text) => text.value.trim() !== ''),
    /** Whoever typed it leaves. */
    forget() {
      drafts.clear()
      for (const text of texts.values()) text.value = ''
    },
  }
}
