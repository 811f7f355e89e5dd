import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { before, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import type { Locator, Route } from 'playwright-core'
import { putVerse, startBox } from '../testing/box.ts'
import { tapTwice, told, visit } from '../testing/browser.ts'

const TAP = fileURLToPath(new URL('../../../player/src/tap.ts', import.meta.url))

let box: Awaited<ReturnType<typeof startBox>>
before(async (t) => {
  box = await startBox(t as never)
})

const open = (t: TestContext, path: string) =>
  visit(t, `${box.address}${path}`, { token: box.token })

/** Puts a card on the reader and lifts it, as the owner of a simulated reader does. */
async function tap(uid: string) {
  const child = spawn(process.execPath, [TAP, uid], { env: { ...process.env, ...box.env } })
  const [code] = await once(child, 'exit')
  assert.equal(code, 0)
}

/** While the card still lies on the reader, holding it there is no new tap: it is held again. */
async function tapAgain(uid: string, shown: Locator) {
  for (let tries = 1; ; tries += 1) {
    await tap(uid)
    const isShown = await shown.waitFor({ timeout: 3_000 }).then(
      () => true,
      () => false,
    )
    if (isShown) return
    assert.ok(tries < 20, 'the page does not show the card')
  }
}

test('a surah is found in Latin and in Arabic, played, and marked as a favorite', async (t) => {
  const page = await open(t, '/library/Husary')
  const search = page.getByPlaceholder('Name or number of a surah')
  await search.fill('الملك')
  const rows = page.locator('.surahs > li')
  await rows.filter({ hasText: 'Al-Mulk' }).waitFor()
  assert.equal(await rows.count(), 1)
  await search.fill('ikhlas')
  await rows.filter({ hasText: 'Al-Ikhlas' }).waitFor()
  // Twice, as a thumb does on a slow line: it is a favorite all the same.
  await tapTwice(
    page,
    '**/api/favorites',
    page.getByRole('button', { name: 'Al-Ikhlas: favorite' }),
  )
  await page.getByRole('button', { name: 'Al-Ikhlas: favorite', pressed: true }).waitFor()
  await box.becomes('/favorites', ({ favorites }) => favorites[0]?.surah === 112)
  await search.fill('67')
  await rows.filter({ hasText: 'Al-Mulk' }).getByRole('button').first().click()
  await page.locator('.mini').getByText('Al-Mulk').waitFor()
  await page.getByRole('link', { name: 'Now', exact: true }).click()
  await page.locator('.tile').filter({ hasText: 'Al-Ikhlas' }).waitFor()
  await page.getByRole('button', { name: 'Favorite', exact: true }).click()
  await page.getByRole('button', { name: 'Favorite', pressed: true }).waitFor()
})

test('what is not on the card can be seen but not played, also where an answer was lost', async (t) => {
  const page = await open(t, '/')
  const lost = (route: Route) => route.abort('connectionreset')
  await page.route('**/api/library/surahs*', lost, { times: 1 })
  await page.goto(`${box.address}/library/Husary`)
  const row = page.locator('.surahs > li').nth(1)
  await row.getByText('Not on the card').waitFor()
  assert.ok(await row.getByRole('button').first().isDisabled())
})

test('files of single verses are said to be that, and those that cannot be played are told', async (t) => {
  for (const verse of [1, 2, 3, 4]) putVerse(box.env.PLAYER_CARD, 'Minshawi', verse)
  writeFileSync(path.join(box.env.PLAYER_CARD, 'Minshawi', '113.m4a'), 'sound of another kind')
  await box.call('/library/rescan', {})
  const page = await open(t, '/library')
  await page.getByText('One file on the card cannot be played on this box (m4a)').waitFor()
  await page.getByRole('link', { name: 'Minshawi' }).click()
  await page.locator('.surahs > li').nth(111).getByText('Verse by verse').waitFor()
  // A card that is damaged does not look like one that is empty.
  await page.routeWebSocket('**/ws', (socket) => {
    const error = "Minshawi: EIO: i/o error, scandir '/card/Minshawi'"
    socket.connectToServer().onMessage((text) => {
      socket.send(`${text}`.replaceAll('"card_present":true', `$&,"error":"${error}"`))
    })
  })
  await page.goto(`${box.address}/library`)
  await page.getByText('Not all of the card can be read').waitFor()
})

test('a reciter with a dot in the name is opened, and is there when the page is loaded anew', async (t) => {
  for (const verse of [1, 2, 3, 4]) putVerse(box.env.PLAYER_CARD, 'Ajmy.128kbps', verse)
  await box.call('/library/rescan', {})
  const page = await open(t, '/library')
  await page.getByRole('link', { name: 'Ajmy.128kbps' }).click()
  await page.locator('.surahs > li').nth(111).getByText('Verse by verse').waitFor()
  await page.reload()
  await page.locator('.surahs > li').nth(111).getByText('Verse by verse').waitFor()
})

test('what broke at one reciter is whole among all of them', async (t) => {
  const page = await open(t, '/library')
  await page.evaluate(() => Object.assign(window, { reportError: () => {} }))
  await page.route('**/api/library/surahs*', (route) => route.fulfill({ json: {} }))
  const reciter = page.locator('main').getByRole('link', { name: 'Husary' }).first()
  await reciter.click()
  await page.getByRole('alert').getByText('could not be shown').waitFor()
  await page.goBack()
  await reciter.waitFor()
})

test('an address is checked while it is typed, and the station names itself', async (t) => {
  const radio = createServer((request, response) => {
    const isSound = request.url === '/live'
    response.writeHead(200, {
      'content-type': isSound ? 'audio/mpeg' : 'text/html',
      'icy-name': 'Radio of the test',
      'icy-br': '128',
    })
    response.end()
  }).listen(0, '127.0.0.1')
  t.after(() => radio.close())
  await once(radio, 'listening')
  const { port } = radio.address() as AddressInfo

  const page = await open(t, '/radio')
  await page.getByRole('button', { name: 'Add a station' }).click()
  const sheet = page.getByRole('dialog')
  const address = sheet.getByLabel('Address of the stream')
  await address.fill('radio')
  await sheet.getByText('not yet a complete address').waitFor()
  await address.fill(`http://127.0.0.1:${port}/page`)
  await sheet.getByText('text/html').waitFor()
  assert.equal((await box.call('/radio/stations')).stations.length, 0, 'a check saves nothing')
  await address.fill(`http://127.0.0.1:${port}/live`)
  await sheet.getByText('It answers with sound').waitFor()
  assert.equal(await sheet.getByLabel('Name').inputValue(), 'Radio of the test')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await page.locator('.rows').getByText('Radio of the test').waitFor()
})

test('a list of another player is imported, and what was left out is told', async (t) => {
  const page = await open(t, '/radio')
  await page.getByRole('button', { name: 'Import a list' }).click()
  const sheet = page.getByRole('dialog')
  await sheet
    .getByLabel('Or paste its text')
    .fill('#EXTM3U\n#EXTINF:-1,Makkah\nhttps://live.example/makkah\nftp://old.example/x\n')
  await sheet.getByRole('button', { name: 'Import', exact: true }).click()
  await sheet.getByText('1 station was added.').waitFor()
  await sheet.getByText('1 address was left out').waitFor()
})

test('a schedule is added in three taps, switched off, removed and brought back', async (t) => {
  const page = await open(t, '/schedules')
  await page.getByRole('button', { name: 'New schedule' }).click()
  // Twice, as an impatient thumb does: one schedule all the same.
  await tapTwice(
    page,
    '**/api/schedules',
    page.getByRole('dialog').getByRole('button', { name: 'Save' }),
  )
  const row = page.locator('.rows > li')
  await row.first().waitFor()
  const { schedules } = await box.call('/schedules')
  assert.equal(schedules.length, 1)
  assert.equal(schedules[0].days, 127)
  await row.getByRole('switch').uncheck()
  await page.locator('[data-off="true"]').waitFor()
  await box.becomes('/schedules', ({ schedules: [only] }) => !only.enabled)
  // Another phone changes it while this one has it open: neither change is lost.
  await row.getByRole('button').first().click()
  await box.call(`/schedules/${schedules[0].id}`, { minute: 45 }, 'PATCH')
  await page.getByRole('dialog').getByText('Sun').click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await box.becomes('/schedules', ({ schedules: [one] }) => one.days === 126 && one.minute === 45)
  await row.getByRole('button').first().click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Nothing is scheduled').waitFor()
  const removed = await told(page, 'Undo')
  await removed.press('Undo')
  await row.first().waitFor()
  // One that was off does not come back to be heard.
  await page.locator('[data-off="true"]').waitFor()
  await box.becomes('/schedules', ({ schedules: [only] }) => !only.enabled)
})

test('what comes in two days is told by its day, and a new one begins by the clock of the box', async (t) => {
  const place = { lat: 21.4225, lng: 39.8262 }
  await box.call('/settings/timezone', { timezone: '<+03>-3' })
  await box.call('/prayer/config', place)
  const ahead = (hours: number) => new Date(Date.now() + (3 + hours) * 3_600_000)
  const later = ahead(36)
  await box.call('/schedules', {
    ...{ hour: later.getUTCHours(), minute: later.getUTCMinutes(), days: 1 << later.getUTCDay() },
    target: { type: 'surah', reciter: 'Husary', surah: 67 },
  })
  const page = await visit(t, `${box.address}/schedules`, {
    ...{ token: box.token, context: { timezoneId: 'Pacific/Honolulu' } },
  })
  const day = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' }).format(later)
  await page.locator('.rows').getByText(`next on ${day}`).waitFor()
  // The week has it, and what sounds once as well.
  assert.equal(await page.locator('.week button').count(), 1)
  const soon = ahead(12)
  await box.call('/schedules', {
    ...{ hour: soon.getUTCHours(), minute: soon.getUTCMinutes(), days: 0 },
    target: { type: 'surah', reciter: 'Husary', surah: 114 },
  })
  await page.locator('.week').getByText('An-Nas').waitFor()
  // A minute to both sides: pages count whole seconds, and the hour may be over meanwhile.
  const before = ahead(0.98)
  await page.getByRole('button', { name: 'New schedule' }).click()
  const shown = (await page.getByLabel('Time').inputValue()).slice(0, 2)
  const hours = [before, ahead(1.02)].map((at) => at.toISOString().slice(11, 13))
  assert.ok(hours.includes(shown), `${shown} is none of ${hours}`)
  await page.goto(box.address)
  await page.locator('.coming').getByText(`next on ${day}`).waitFor()
})

test('a new card opens the moment it is tapped; named, it is known the next time', async (t) => {
  const page = await open(t, '/cards')
  await page.getByText('Hold a card to the box').waitFor()
  await tap('04AA11BB')
  const sheet = page.getByRole('dialog')
  await sheet.getByText('04 AA 11 BB').waitFor()
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.getByText('Give the card a name').waitFor()
  // The same card opens on every phone that shows this page, and one of them is quicker.
  const quicker = { uid: '04AA11BB', name: 'Yusuf', binding: { type: 'adhan' } }
  await box.call('/rfid/cards', quicker)
  await sheet.getByText('saved this card as').waitFor()
  await sheet.getByLabel('Whose, or what for').fill('Maryam')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  await page.locator('.rows').getByText('Maryam').waitFor()
  await tapAgain('04AA11BB', sheet.getByLabel('Whose, or what for'))
  const name = page.getByLabel('Whose, or what for')
  assert.equal(await name.inputValue(), 'Maryam')
  // Another card does not take away what is being typed; what the box says after it has arrived.
  await name.fill('Maryam, class two')
  await tap('04CC22DD')
  await box.call('/playback/volume', { volume: 17 })
  await page.locator('.volume span').filter({ hasText: '17' }).waitFor({ state: 'attached' })
  assert.equal(await name.inputValue(), 'Maryam, class two')
  // Nor what is counted up and down.
  await page.keyboard.press('Escape')
  const mode = { mode: 'hifz_repeat', repeat: 3, pause_s: 5 }
  const binding = { type: 'surah', reciter: 'Husary', surah: 112, mode }
  await box.call('/rfid/cards/04AA11BB', { binding }, 'PATCH')
  await tapAgain('04AA11BB', name)
  const rounds = sheet.locator('.stepper', { hasText: 'Rounds' })
  await rounds.getByRole('button', { name: 'More' }).click()
  await tap('04CC22DD')
  await box.call('/playback/volume', { volume: 18 })
  await page.locator('.volume span').filter({ hasText: '18' }).waitFor({ state: 'attached' })
  await rounds.getByText('4', { exact: true }).waitFor()
})

test('a sheet that was closed while the box was slow takes no other with it', async (t) => {
  const page = await open(t, '/schedules')
  const held = Promise.withResolvers<void>()
  await page.route('**/api/schedules', async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  const add = page.getByRole('button', { name: 'New schedule' })
  const sheet = page.getByRole('dialog')
  await add.click()
  await sheet.getByLabel('Time').fill('04:44')
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.locator('button[aria-busy=true]').waitFor()
  await page.keyboard.press('Escape')
  await add.click()
  await sheet.getByLabel('Time').fill('05:55')
  const saved = page.waitForResponse('**/api/schedules')
  held.resolve()
  await (await saved).finished()
  await page.locator('.rows > li', { hasText: /\b0?4:44/ }).waitFor()
  assert.equal(await sheet.getByLabel('Time').inputValue(), '05:55')
})

test('recitations are sent from the phone to the card, and are in the library', async (t) => {
  const page = await open(t, '/library')
  await page.getByRole('button', { name: 'Add recitations' }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reciter').selectOption({ label: 'A new reciter' })
  await sheet.getByLabel('Name of the reciter').fill('Grandfather')
  const good = readFileSync(path.join(box.env.PLAYER_CARD, 'Husary/112.wav'))
  await sheet.getByLabel('Choose files').setInputFiles([
    { name: '113.wav', mimeType: 'audio/wav', buffer: good },
    { name: '114.mp3', mimeType: 'audio/mpeg', buffer: Buffer.from('this is no sound at all') },
  ])
  await sheet.getByText('113.wav: done').waitFor()
  await sheet.locator('.bad').filter({ hasText: '114.mp3: It cannot be played' }).waitFor()
  await page.getByRole('button', { name: 'Close' }).click()
  await page.locator('.rows').getByText('Grandfather').waitFor()
})
