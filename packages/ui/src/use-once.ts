import { useSignal } from '@preact/signals'

/**
 * Work that is not begun again while it goes on: the second click of two comes before the page is
 * drawn anew, so that a button which only looks disabled would take it. `busy` is for that button.
 */
export function useOnce(work: () => unknown) {
  const isBusy = useSignal(false)
  async function run() {
    if (isBusy.peek()) return
    const result = work()
    if (!(result instanceof Promise)) return
    isBusy.value = true
    try {
      await result
    } finally {
      isBusy.value = false
    }
  }
  // Not `disabled`, which would take the keyboard away from the button.
  const busy = isBusy.value ? { 'aria-busy': true, 'aria-disabled': true } : {}
  return { run, busy }
}
