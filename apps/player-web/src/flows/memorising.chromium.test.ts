import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WebSocket } from 'playwright-core'
import { putVerse, startBox } from '../testing/box.ts'
import { visit } from '../testing/browser.ts'

// Each test has a box of its own: together they may ask it more than 20 times in ten seconds.
test('memorising: rounds as beads, and a silence that counts down', async (t) => {
  const box = await startBox(t)
  // The first round is nearly over, and the second is long enough to be looked at.
  await box.call('/playback/play', { path: 'Husary/114.wav' })
  await box.call('/playback/pause', {})
  await box.call('/playback/seek', { position: 598_000 })
  const page = await visit(t, box.address, { token: box.token })
  await page.getByRole('button', { name: 'Repeat' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Memorise surah').click()
  for (let rounds = 7; rounds > 3; rounds -= 1)
    await sheet.getByRole('button', { name: 'Less' }).click()
  await sheet.getByText('10 s', { exact: true }).click()
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Round 1 of 3').waitFor()
  assert.equal(await page.locator('.beads li').count(), 3)
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.waitForFunction(() => {
    const beads = document.querySelector('.beads[data-gap="true"]')
    const left = Number(beads?.querySelector('[data-at="now"]')?.textContent)
    return beads?.textContent?.includes('Silence: say it yourself') && left > 0 && left < 10
  })
  await page.getByText('Round 2 of 3').waitFor()
  await page.locator('.beads[data-gap="false"]').waitFor()
  assert.equal(await page.locator('.beads [data-at="done"]').count(), 1)
})

test('who comes back when all rounds were heard is told so', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/mode', { mode: 'hifz_repeat', repeat: 1, pause_s: 0 })
  await box.call('/playback/play', { path: 'Husary/112.wav' })
  const page = await visit(t, box.address, { token: box.token })
  await page.getByText('All rounds done').waitFor()
})

test('a range is chosen by the names of its surahs', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/play', { path: 'Husary/114.wav' })
  const page = await visit(t, box.address, { token: box.token, language: 'ar' })
  await page.getByRole('button', { name: 'التكرار' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('حفظ مقطع').click()
  await sheet.getByLabel('من', { exact: true }).selectOption({ label: '١١٢ الإخلاص' })
  await sheet.getByLabel('إلى', { exact: true }).selectOption({ label: '١١٤ الناس' })
  await sheet.getByRole('button', { name: 'تطبيق' }).click()
  await page.getByText('من الإخلاص إلى الناس').waitFor()
  await box.becomes('/playback/status', ({ hifz }) => hifz.ab_start === 112 && hifz.ab_end === 114)
})

test('verses: which is heard, a drill by their names, whose turn it is, and speed', async (t) => {
  const box = await startBox(t)
  const reciter = 'Alafasy'
  // Long enough to be looked at on a busy machine, each brought to its end when it was.
  for (let verse = 1; verse <= 4; verse += 1) putVerse(box.env.PLAYER_CARD, reciter, verse, 600)
  const nearlyOver = () => box.call('/playback/seek', { position: 599_000 })
  await box.call('/library/rescan', {})
  await box.call('/playback/queue', { type: 'surah', reciter, surah: 112 })
  await box.call('/playback/pause', {})
  await box.becomes('/playback/status', ({ verse, verse_sure }) => verse === 1 && verse_sure)
  const page = await visit(t, box.address, { token: box.token })
  await page.getByText('Verse 1', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Next verse' }).click()
  await page.getByText('Verse 2', { exact: true }).waitFor()
  assert.equal((await box.call('/playback/status')).state, 'paused')

  await page.getByRole('button', { name: 'Repeat' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByText('Memorise verses').click()
  await sheet.getByLabel('From verse').selectOption({ label: 'Al-Ikhlas 3' })
  await sheet.getByLabel('To verse').selectOption({ label: 'Al-Ikhlas 4' })
  await sheet.getByText('Each, then linked').click()
  await sheet.getByText('200 % of it').click()
  await sheet.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Begins after this verse').waitFor()
  await nearlyOver()
  await page.getByRole('button', { name: 'Play', exact: true }).first().click()
  await page.getByText('Step 1 of 13').waitFor()
  assert.equal(await page.locator('.beads li').count(), 5)
  await box.becomes('/playback/status', ({ verse, hifz }) => verse === 3 && hifz.step === 1)
  await nearlyOver()
  await page.getByText('Your turn', { exact: true }).waitFor()
  // The turn belongs to the round that was heard: of the first verse the second step is round two.
  await page.waitForFunction(() => {
    const beads = document.querySelector('.beads[data-gap="true"]')
    const told = (pattern: RegExp) => pattern.exec(beads?.textContent ?? '')?.[1]
    const round = told(/Round (\d+) of 5/)
    return round && round === told(/Step (\d+) of/) && beads?.querySelector('[data-at="now"]')
  })
  const { hifz } = await box.call('/playback/status')
  assert.deepEqual(
    [hifz.method, hifz.verse_from, hifz.verse_to, hifz.gap_percent, hifz.link],
    ['stack', 3, 4, 200, 3],
  )

  await page.getByRole('button', { name: 'Speed' }).click()
  await page.getByRole('dialog').getByText('75 %').click()
  await page.getByRole('button', { name: '75 %', pressed: true }).waitFor()
  await box.becomes('/playback/status', ({ speed }) => speed === 75)
})

test('a verse is marked by ear while somebody listens', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  await box.call('/playback/seek', { position: 30_000 })
  const page = await visit(t, box.address, { token: box.token })
  await page.getByRole('button', { name: 'Mark a verse here' }).click()
  const sheet = page.getByRole('dialog')
  for (let verse = 1; verse < 3; verse += 1)
    await sheet.getByRole('button', { name: 'More' }).click()
  await sheet.getByRole('button', { name: 'It begins now' }).click()
  await page.getByText('Verse 3 is marked.').waitFor()
  const { position } = await box.call('/playback/status')
  const { verses } = await box.call('/library/verses?reciter=Husary&surah=67')
  const mark = verses.find(({ pinned }: { pinned: boolean }) => pinned)
  if (mark) assert.ok(mark.verse === 3 && mark.start >= 29_000 && mark.start <= position)
})

test('a phone that slept for an hour shows what is true now', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/volume', { volume: 20 })
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  const page = await visit(t, box.address, { token: box.token })
  await page.clock.install()
  const links: WebSocket[] = []
  page.on('websocket', (link) => links.push(link))
  await page.reload()
  await page.locator('.volume span').getByText('20').waitFor()
  const become = (state: 'hidden' | 'visible') =>
    page.evaluate((value) => {
      Object.defineProperty(document, 'visibilityState', { value, configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    }, state)
  await become('hidden')
  // After a minute it lets the box go, whatever that has said meanwhile.
  await box.call('/playback/volume', { volume: 21 })
  await page.locator('.volume span').getByText('21').waitFor()
  await page.clock.fastForward('01:00')
  for (const link of links) if (!link.isClosed()) await link.waitForEvent('close')
  await box.kill()
  await box.restart()
  await box.call('/playback/volume', { volume: 55 })
  await box.call('/playback/play', { path: 'Husary/114.wav' })
  await page.clock.fastForward('01:00:00')
  await become('visible')
  await page.locator('.volume span').getByText('55').waitFor()
  await page.getByText('An-Nas').first().waitFor()
  await page.locator('.frame[data-stale="false"]').waitFor()
})

test('a sleep timer counts down on its button, is called off, and a queue is filled and emptied', async (t) => {
  const box = await startBox(t)
  await box.call('/playback/play', { path: 'Husary/067.wav' })
  const page = await visit(t, box.address, { token: box.token })
  await page.getByRole('button', { name: 'Sleep', exact: true }).click()
  await page.getByRole('dialog').getByText('15 min').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Start' }).click()
  await page.getByRole('button', { name: /^1[45]:\d\d$/, pressed: true }).click()
  await box.becomes('/playback/sleep', ({ active }) => active)
  await page.getByRole('dialog').getByRole('button', { name: 'Call it off' }).click()
  await page.getByRole('button', { name: 'Sleep', exact: true }).waitFor()
  await box.becomes('/playback/sleep', ({ active }) => !active)

  await page.getByRole('link', { name: 'Library', exact: true }).click()
  await page
    .locator('.rows')
    .getByRole('link', { name: /Husary/ })
    .click()
  await page.getByPlaceholder('Name or number of a surah').fill('114')
  await page.getByRole('button', { name: 'An-Nas: after this' }).click()
  await page.getByText('An-Nas comes after this.').waitFor()
  await page.getByRole('link', { name: 'Now', exact: true }).click()
  await page.getByRole('heading', { name: 'After this' }).waitFor()
  await box.becomes('/playback/queue', ({ queue }) => queue[0]?.surah_number === 114)
  await page.getByRole('button', { name: 'Take out An-Nas' }).click()
  await page.getByRole('heading', { name: 'After this' }).waitFor({ state: 'detached' })
})
