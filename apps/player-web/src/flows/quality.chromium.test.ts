import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { startBox } from '../testing/box.ts'
import { findings, PHONE, visit } from '../testing/browser.ts'

const NARROW = { width: 320, height: 640 }
/** What is left of 360 px for whom all pages are enlarged by 130 %, by 200 % and by 300 %. */
const ENLARGED = [277, 180, 120]

const PAGES = [
  '/',
  '/library',
  '/library/Husary',
  '/radio',
  '/prayer',
  '/prayer/month',
  '/schedules',
  '/cards',
  '/learners',
  '/learners/1',
  '/more',
]

/** What opens a sheet on some of them. */
const SHEETS: Record<string, string> = {
  '/': '.extras button',
  '/schedules': '.page-head .button',
  '/learners/1': '.page-head .button',
}

let box: Awaited<ReturnType<typeof startBox>>
before(async (t) => {
  box = await startBox(t as never)
  await box.call('/playback/mode', { mode: 'hifz_repeat', repeat: 5, pause_s: 5 })
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  await box.call('/prayer/config', { lat: 30.0444, lng: 31.2357, method: 2 })
  await box.call('/radio/stations', { name: 'Cairo', url: 'http://radio.example/live' })
  await box.call('/schedules', {
    hour: 5,
    minute: 30,
    days: 0b0011111,
    target: { type: 'surah', reciter: 'Husary', surah: 67 },
  })
  await box.call('/rfid/cards', {
    uid: '04A1B2C3',
    name: 'Maryam',
    binding: { type: 'surah', reciter: 'Husary', surah: 112 },
  })
  await box.call('/hifz/learners', { name: 'Maryam' })
  const plan = { order: 'backward', start: { surah: 114, verse: 1 }, unit: 'verse', amount: 3 }
  await box.call('/hifz/learners/1/plan', { ...plan, days: 127, reciter: 'Husary' }, 'PUT')
  for (const [surah, grade] of [
    [112, 'good'],
    [113, 'hesitant'],
  ] as const) {
    const range = { surah, from: 1, to: 4 }
    await box.call('/hifz/learners/1/grades', { ...range, grade, by: 'teacher' })
  }
  await box.call('/favorites', { type: 'surah', reciter: 'Husary', surah: 67 })
})

for (const language of ['ar', 'en'] as const) {
  test(`pages (${language})`, async (t) => {
    const page = await visit(t, box.address, {
      ...{ token: box.token, language, context: { viewport: NARROW } },
    })
    await page.addInitScript(forgetWhatIsNew)
    for (const place of PAGES) {
      await page.setViewportSize(NARROW)
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(`${box.address}${place}`)
      await page.locator('main h1').waitFor({ state: 'attached' })
      await page.locator('.arch-name').waitFor({ state: 'attached' })
      await page.waitForLoadState('networkidle')

      await t.test(
        `${place} fits 320 and 360 px without scrolling sideways, and nothing moves while it loads`,
        async () => {
          const width = () => page.evaluate(() => document.documentElement.scrollWidth)
          assert.equal(await width(), NARROW.width)
          const shift = await page.evaluate(movedWhileLoading)
          assert.ok(shift <= 0.02, `shift of ${shift}`)
          await page.setViewportSize({ ...NARROW, width: 360 })
          assert.equal(await width(), 360)
        },
      )

      await t.test(`${place} can be reached as a whole when it is enlarged`, async () => {
        for (const width of ENLARGED) {
          await page.setViewportSize({ width, height: width * 2 })
          assert.deepEqual(await page.evaluate(cutOff), [], `${width}`)
          // What stands above the tabs counts on this.
          const tabs = await page.locator('.tabs').boundingBox()
          assert.ok(tabs && tabs.height <= 73, `${width}: tabs of ${tabs?.height} px`)
        }
        if (!SHEETS[place]) return
        await page.locator(SHEETS[place]).first().click()
        const sheet = page.getByRole('dialog')
        const room = ({ scrollWidth, clientWidth }: Element) => clientWidth - scrollWidth
        assert.equal(await sheet.evaluate(room), 0)
        await page.keyboard.press('Escape')
        await sheet.waitFor({ state: 'detached' })
      })

      if (place === '/learners/1' && language === 'en') {
        await page.emulateMedia({ media: 'print' })
        const printed = await page.locator('main button:visible').allTextContents()
        // Those of grades are crossed by hand.
        assert.deepEqual([...new Set(printed)], ['Again', 'Hesitant', 'Good'])
        await page.emulateMedia({ media: 'screen' })
      }

      // Colours are the same in both languages.
      const themes = language === 'ar' ? (['light', 'dark'] as const) : (['light'] as const)
      await t.test(`${place} has no finding of axe, ${themes.join(' and ')}`, async () => {
        await page.setViewportSize(PHONE)
        // As tall as the page is, so that the bar below covers nothing that can be scrolled free.
        const height = await page.evaluate(() => document.documentElement.scrollHeight)
        await page.setViewportSize({ ...PHONE, height: Math.max(PHONE.height, height) })
        for (const colorScheme of themes) {
          await page.emulateMedia({ colorScheme })
          await page.evaluate(colorsHaveSettled)
          const found = await findings(page, colorScheme === 'light' ? 'all' : 'colours')
          assert.deepEqual(found, [], colorScheme)
        }
      })
    }
  })
}

test('names that no blank breaks push no switch and no button off the screen', async (t) => {
  const station = { name: 'S'.repeat(100), url: `http://radio.example/${'a'.repeat(300)}` }
  await box.call('/radio/stations', station)
  await box.call('/schedules', {
    ...{ hour: 9, minute: 0, days: 32 },
    target: { type: 'surah', reciter: `Reciter${'W'.repeat(180)}`, surah: 1 },
  })
  const page = await visit(t, `${box.address}/radio`, {
    ...{ token: box.token, context: { viewport: NARROW } },
  })
  for (const [path, name] of [
    ['/radio', 'SSSS'],
    ['/schedules', 'WWWW'],
  ] as const) {
    await page.goto(box.address + path)
    const row = page.locator('.row-with-buttons', { hasText: name })
    await row.waitFor()
    const ends = await row
      .locator('button, input')
      .evaluateAll((controls) => controls.map((one) => one.getBoundingClientRect().right))
    assert.ok(Math.max(...ends) <= NARROW.width, `${path}: ${ends}`)
  }
})

test('Arabic and names of Turkey are set in letters of ours, and what is typed the other way runs under no icon', async (t) => {
  const page = await visit(t, `${box.address}/library`, { language: 'ar' })
  const field = page.getByRole('searchbox')
  await field.waitFor()
  // As where they came in time, which a busy machine may not manage.
  await page.evaluate(async () => {
    document.documentElement.dataset.arabic = 'here'
    await document.fonts.ready
  })
  const client = await page.context().newCDPSession(page)
  await client.send('DOM.enable')
  await client.send('CSS.enable')
  const { root } = await client.send('DOM.getDocument')
  const title = { nodeId: root.nodeId, selector: 'main h1' }
  const areOurs = async () => {
    const node = await client.send('DOM.querySelector', title)
    const { fonts } = await client.send('CSS.getPlatformFontsForNode', node)
    return fonts.every(({ isCustomFont }) => isCustomFont)
  }
  assert.equal(await areOurs(), true)
  // And the letters of a Turkish or a Spanish name.
  await page.locator('main h1').evaluate(async (heading) => {
    heading.textContent = 'İnci Şule Oğuz Işık Ángel'
    await document.fonts.load('1em "Manara Sans"', heading.textContent)
  })
  assert.equal(await areOurs(), true)
  await field.fill('Husary')
  const [room, icon] = await field.evaluate((input) => {
    const { left, right } = input.getBoundingClientRect()
    const { paddingLeft, paddingRight } = getComputedStyle(input)
    const icon = input.closest('label')?.querySelector('svg')?.getBoundingClientRect()
    return [
      [left + Number.parseFloat(paddingLeft), right - Number.parseFloat(paddingRight)],
      [icon?.left ?? 0, icon?.right ?? 0],
    ]
  })
  assert.ok(
    (icon?.[0] ?? 0) >= (room?.[1] ?? 0) || (icon?.[1] ?? 0) <= (room?.[0] ?? 0),
    `${room} ${icon}`,
  )
})

for (const language of ['ar', 'en'] as const) {
  test(`letters that come late move nothing (${language})`, async (t) => {
    const page = await visit(t, `${box.address}/prayer/month`, {
      ...{ token: box.token, language, context: { viewport: NARROW } },
    })
    const drawn = () => page.locator('.month tbody tr').first().waitFor()
    await drawn()
    const release = Promise.withResolvers<void>()
    await page.route('**/*.woff2', async (route) => {
      await release.promise
      await route.continue()
    })
    await page.reload({ waitUntil: 'commit' })
    await drawn()
    await page.locator('.mini').waitFor()
    release.resolve()
    await page.evaluate(() => document.fonts.ready)
    const shift = await page.evaluate(movedWhileLoading)
    assert.ok(shift <= 0.02, `shift of ${shift}`)
  })
}

/** A browser as old as those we promise: what came after Safari 15.4 and Chrome 105 is not there. */
function forgetWhatIsNew() {
  const forget = (from: object, names: string[]) => {
    for (const name of names) Reflect.deleteProperty(from, name)
  }
  forget(Array.prototype, ['toSorted', 'toReversed', 'toSpliced', 'with'])
  forget(AbortSignal, ['timeout', 'any'])
  forget(Promise, ['withResolvers', 'try'])
  forget(Object, ['groupBy'])
  forget(Map, ['groupBy'])
  forget(Array, ['fromAsync'])
  forget(URL, ['canParse', 'parse'])
  forget(String.prototype, ['isWellFormed', 'toWellFormed'])
  forget(Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf'])
  forget(Object.getPrototypeOf(Object.getPrototypeOf([].values())), [
    ...['map', 'filter', 'take', 'drop', 'flatMap', 'reduce', 'toArray', 'forEach', 'some'],
    ...['every', 'find'],
  ])
}

/** What lies beside the page or is cut by its list; a table may be scrolled by itself. */
function cutOff(): string[] {
  const isCut = (one: Element) => {
    const { left, right, width } = one.getBoundingClientRect()
    return width > 1 && (left < -1 || right > innerWidth + 1) && !one.closest('.month-scroll')
  }
  const shown = document.querySelectorAll('.frame :is(a, button, input, select, h1, h2, li, p, b)')
  const cut = [...shown].filter(isCut).map((one) => `${one.tagName} ${one.textContent}`)
  const { scrollWidth } = document.documentElement
  return scrollWidth > innerWidth ? [`${scrollWidth} px`, ...cut] : cut
}

/** By how much of the page what was there already has moved. */
function movedWhileLoading(): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      const shifts = list.getEntries() as unknown as { value: number }[]
      resolve(shifts.reduce((sum, { value }) => sum + value, 0))
    }).observe({ type: 'layout-shift', buffered: true })
    // Nothing is told where nothing has moved.
    requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
  })
}

/** A change of theme fades: what axe measures on the way is no color of ours. */
async function colorsHaveSettled() {
  await new Promise(requestAnimationFrame)
  const fades = document.getAnimations().filter((one) => one instanceof CSSTransition)
  await Promise.allSettled(fades.map(({ finished }) => finished))
}
