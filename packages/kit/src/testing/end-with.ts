import type { TestContext } from 'node:test'

/** The runner keeps what it called after a test, and with it a whole service: this lets go of it. */
export function endWith(t: Pick<TestContext, 'after'>, end: () => unknown) {
  let once: typeof end | undefined = end
  t.after(async () => {
    const ending = once
    once = undefined
    await ending?.()
  })
}
