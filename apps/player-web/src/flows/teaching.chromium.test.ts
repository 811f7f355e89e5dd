import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import type { Route } from 'playwright-core'
import { startBox } from '../testing/box.ts'
import { tapTwice, told, visit } from '../testing/browser.ts'

let box: Awaited<ReturnType<typeof startBox>>
before(async (t) => {
  box = await startBox(t as never)
})

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

test('a teacher adds a learner, plans, grades, sees the progress, exports and erases', async (t) => {
  const page = await visit(t, `${box.address}/learners`, { token: box.token })
  await page.getByRole('button', { name: 'Add a learner' }).click()
  await page.getByLabel('Nickname').fill('Maryam')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Maryam' }).waitFor()

  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  for (const day of DAYS) await page.getByLabel(day, { exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Save' }).click()
  const portion = page.locator('.portion').filter({ hasText: 'An-Nas 1–3' })
  await portion.getByText('not graded yet').waitFor()
  // Another teacher changes the plan while this one has it open: neither change is lost.
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  // Not the day on which this is run, in no zone: its portion is graded below.
  const off = (new Date().getUTCDay() + 3) % 7
  await page.getByLabel(DAYS[off] ?? '', { exact: true }).uncheck({ force: true })
  const [{ id, plan }] = (await box.call('/hifz/learners')).learners
  await box.call(`/hifz/learners/${id}/plan`, { ...plan, cycle_days: 45 }, 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { plan: joined } = (await box.call('/hifz/learners')).learners[0]
  assert.deepEqual([joined.days, joined.cycle_days], [0b111_1111 - (1 << off), 45])
  // What would overwrite the other's is told first, with both.
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByRole('button', { name: 'More' }).first().click()
  await box.call(`/hifz/learners/${id}/plan`, { ...joined, amount: 9 }, 'PUT')
  await sheet.getByRole('button', { name: 'Save' }).click()
  const theirs = sheet.getByRole('alert').getByText('New a day')
  await theirs.waitFor()
  assert.match((await theirs.locator('..').textContent()) ?? '', /Yours: 4 ayahs.*Theirs: 9 ayahs/)
  await sheet.getByRole('button', { name: 'Take theirs' }).click()
  await sheet.getByText('9 ayahs').waitFor()
  for (let amount = 9; amount > 3; amount -= 1)
    await sheet.getByRole('button', { name: 'Less' }).first().click()
  await sheet.getByRole('button', { name: 'Save' }).click()
  await sheet.waitFor({ state: 'detached' })
  await portion.waitFor()
  // Tapped twice by a nervous thumb, it is one grade.
  await page.route('**/api/hifz/learners', (route) => route.abort('connectionreset'))
  await tapTwice(page, '**/grades', portion.getByRole('button', { name: 'Hesitant' }))
  // It is kept, though the answer with the new list is lost: nobody is told to give it again.
  await told(page, 'An-Nas 1–3')
  await page.unroute('**/api/hifz/learners')
  await portion.getByRole('button', { name: 'Hesitant', pressed: true }).waitFor()
  const facts = page.locator('.learner-facts')
  await facts.getByText('verses', { exact: true }).waitFor()
  assert.match((await facts.textContent()) ?? '', /verses3.*weak portions1/)

  // One whose answer is lost is sent again, and is one.
  const lose = async (route: Route) => {
    await route.fetch()
    await route.abort('connectionreset')
  }
  await page.route('**/grades', lose, { times: 1 })
  await portion.getByRole('button', { name: 'Good' }).click()
  await told(page, 'An-Nas 1–3: Good')

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Take it along' }).click(),
  ])
  const kept = JSON.parse(readFileSync(await download.path(), 'utf8'))
  assert.deepEqual([kept.learner.name, kept.grades.length], ['Maryam', 2])

  await page.getByRole('button', { name: 'Erase' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Erase' }).click()
  await page.getByText('Nobody learns with this box yet').waitFor()
  await box.becomes('/hifz/learners', ({ learners }) => learners.length === 0)
})

test('two learners cannot have one name, and the field says so', async (t) => {
  await box.call('/hifz/learners', { name: 'Bilal' })
  const page = await visit(t, `${box.address}/learners`, { token: box.token })
  await page.getByRole('button', { name: 'Add a learner' }).click()
  await page.getByLabel('Nickname').fill('bilal')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Another learner has this name.').waitFor()
})

test('without the token nobody sees who learns', async (t) => {
  const page = await visit(t, `${box.address}/learners`)
  await page.getByText('The learners are private').waitFor()
  assert.equal(await page.getByText('Bilal').count(), 0)
  await page.goto(`${box.address}/learners/1`)
  await page.getByText('The learners are private').waitFor()
  // Nor on a phone that has had it and is lent.
  await page.getByRole('button', { name: 'Show the learners' }).click()
  await page.getByLabel('Device token').fill(box.token)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.goto(`${box.address}/learners`)
  await page.getByText('Bilal').waitFor()
  // An answer that is on its way comes when it is forgotten.
  const isForgotten = Promise.withResolvers<void>()
  const late = page.waitForRequest(/\/hifz\/learners$/)
  await page.route('**/api/hifz/learners', async (route) => {
    const response = await route.fetch()
    await isForgotten.promise
    await route.fulfill({ response })
  })
  await box.call('/hifz/learners', { name: 'Zayd' })
  await late
  await page.getByRole('link', { name: 'More', exact: true }).click()
  await page.getByRole('button', { name: /^Language and look/ }).click()
  await page.getByRole('button', { name: 'Forget the token' }).click()
  await page.getByRole('button', { name: 'Close' }).first().click()
  await page.getByRole('link', { name: /^Learners/ }).click()
  await page.getByText('The learners are private').waitFor()
  const told = page.waitForResponse(/\/hifz\/learners$/)
  isForgotten.resolve()
  await (await told).finished()
  await page.evaluate(() => new Promise(requestAnimationFrame))
  assert.equal(await page.getByText('Bilal').count(), 0)
})
