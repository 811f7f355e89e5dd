import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { TestContext } from 'node:test'
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core'
import { launchBrowser } from './launch-browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

let browser: Promise<Browser> | undefined

/** One browser for all suites. */
function openBrowser() {
  browser ??= launchBrowser()
  return browser
}

export type Visit = BrowserContextOptions & {
  /** What the page remembers already. */
  kept?: Record<string, string>
}

const PATIENCE_MS = 180_000

/**
 * A browser that opens a page of ours. After the test nothing may have gone wrong in it unseen: no
 * error on its console, which the security policy writes to as well, and no word to another host.
 */
export async function visit(
  t: TestContext,
  address: string,
  { kept = {}, ...options }: Visit = {},
): Promise<Page> {
  const context = await (await openBrowser()).newContext({ ignoreHTTPSErrors: true, ...options })
  // What a page should show is waited for; a busy machine draws slowly.
  context.setDefaultTimeout(PATIENCE_MS)
  await context.addInitScript((values) => {
    for (const [name, value] of Object.entries(values)) {
      if (localStorage.getItem(`manara.${name}`) === null) {
        localStorage.setItem(`manara.${name}`, value)
      }
    }
  }, kept)
  await context.addInitScript(keepSaid)
  const page = await context.newPage()
  const wrong: string[] = []
  page.on('pageerror', (error) => wrong.push(String(error)))
  page.on('console', (line) => {
    // A server that is down or refuses is what some tests are about; the rest is ours.
    if (
      line.type() === 'error' &&
      !/ERR_CONNECTION|WebSocket connection|status of (4|503)/.test(line.text())
    ) {
      wrong.push(line.text())
    }
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (!['data:', 'blob:'].includes(url.protocol) && url.host !== new URL(address).host) {
      wrong.push(`asked ${url.host}`)
    }
  })
  t.after(async () => {
    await context.close()
    assert.deepEqual(wrong, [])
  })
  await page.goto(address)
  return page
}

/** Of what is said for seconds nothing is gone before the test gets to it. Runs in the page. */
function keepSaid() {
  const NOTICE = '[role=status] > p[data-kind], [role=alert] > p[data-kind]'
  const said: Element[] = []
  Object.assign(globalThis, { said })
  const shown = (node: Node) =>
    node instanceof Element ? [node, ...node.querySelectorAll(NOTICE)] : []
  new MutationObserver((changes) => {
    const added = changes.flatMap(({ addedNodes }) => [...addedNodes].flatMap(shown))
    said.push(...added.filter((one) => one.matches(NOTICE) && one.checkVisibility()))
  }).observe(document, { childList: true, subtree: true })
}

/**
 * Resolves with the notice once one has said it, also if it is gone by now; what was heard is not
 * heard again.
 */
export async function told(page: Page, words: string | RegExp) {
  const notice = await page.waitForFunction(
    (words) => {
      const { said } = globalThis as unknown as { said: Element[] }
      const at = said.findIndex(({ textContent }) => textContent.search(words) >= 0)
      return at < 0 ? undefined : said.splice(at, 1)[0]
    },
    typeof words === 'string' ? new RegExp(words.replace(/[^\w ]/g, '\\$&')) : words,
  )
  return {
    press: (name: string) =>
      notice.evaluate((element, name) => {
        const buttons = [...(element as Element).querySelectorAll('button')]
        const button = buttons.find(({ textContent }) => textContent === name)
        if (!button) throw new Error(`no button ${name} in: ${(element as Element).textContent}`)
        button.click()
      }, name),
  }
}

/** Both are over before the first is answered, on a busy machine too. */
export async function tapTwice(page: Page, asked: string, button: Locator) {
  const areOver = Promise.withResolvers<void>()
  await page.route(asked, async (route) => {
    await areOver.promise
    await route.continue()
  })
  await button.dblclick()
  areOver.resolve()
}

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/**
 * Marks rows that are built, styled and marked as one before them and differ in words alone: axe
 * finds the same in each, and most of its work is for tables. Runs in the page.
 */
function markRepeated() {
  const own = (element: Element) => [
    element.tagName,
    ...[...element.attributes]
      .map(({ name, value }) =>
        /^(class|role|style|type|data-.*)$/.test(name) ? name + value : name,
      )
      .sort(),
    [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim()),
  ]
  const within = (element: Element): unknown => [own(element), [...element.children].map(within)]
  const above = (element: Element | null): unknown =>
    element && [own(element), above(element.parentElement)]
  const seen = new Set<string>()
  for (const row of document.querySelectorAll('[data-repeated]')) {
    row.removeAttribute('data-repeated')
  }
  for (const row of document.querySelectorAll('tr, li, [role=row]')) {
    const built = JSON.stringify([within(row), above(row.parentElement)])
    row.toggleAttribute('data-repeated', seen.has(built))
    seen.add(built)
  }
}

/**
 * What axe finds against WCAG 2.2 AA and its own best practice, each with where. Of a page that was
 * looked at already only its colours, which are all that another theme changes.
 */
export async function findings(page: Page, what: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Past the policy of the page, which lets nothing in that is not ours.
  const client = await page.context().newCDPSession(page)
  const evaluate = async (expression: string) => {
    const { result, exceptionDetails } = await client.send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    })
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description)
    return result.value
  }
  const runOnly = what === 'all' ? ALL : { type: 'rule', values: ['color-contrast'] }
  if (!(await evaluate(`'axe' in globalThis`))) await evaluate(AXE)
  await evaluate(`(${markRepeated})()`)
  return evaluate(`axe.run({ exclude: [['[data-repeated]']] }, { runOnly: ${JSON.stringify(runOnly)} })
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => id + ' ' + target.join(' ') + ' ' + failureSummary)))`)
}
