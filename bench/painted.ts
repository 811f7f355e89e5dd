import type { Page } from 'playwright-core'

/** In the page: two frames after the element is there, it has been painted. */
export const watchFor = (selector: string) => `new MutationObserver((_, observer) => {
  if (!document.querySelector('${selector}')) return
  observer.disconnect()
  requestAnimationFrame(() => requestAnimationFrame(() => { globalThis.painted = performance.now() }))
}).observe(document, { childList: true, subtree: true })`

/** Resolves to the milliseconds since the page was asked for. */
export async function paintedAfter(page: Page): Promise<number> {
  const painted = await page.waitForFunction('globalThis.painted')
  return Number(await painted.jsonValue())
}
