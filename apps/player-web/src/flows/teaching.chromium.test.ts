import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, test } from 'node:test'
import { startBox } from '../testing/box.ts'
import { tapTwice, visit } from '../testing/browser.ts'

let box: Awaited<ReturnType<typeof startBox>>
before(async (t) => {
  box = await startBox(t as never)
})

test('a teacher adds a learner, plans, grades, sees the progress, exports and erases', async (t) => {
  const page = await visit(t, `${box.address}/learners`, { token: box.token })
  await page.getByRole('button', { name: 'Add a learner' }).click()
  await page.getByLabel('Nickname').fill('Maryam')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('heading', { name: 'Maryam' }).waitFor()

  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  for (const day of ['Friday', 'Saturday']) {
    await page.getByLabel(day, { exact: true }).check({ force: true })
  }
  await page.getByRole('button', { name: 'Save' }).click()
  const portion = page.locator('.portion').filter({ hasText: 'An-Nas 1–3' })
  await portion.getByText('not graded yet').waitFor()
  // Another teacher changes the plan while this one has it open: neither change is lost.
  await page.getByRole('button', { name: 'Plan', exact: true }).click()
  await page.getByLabel('Friday', { exact: true }).uncheck({ force: true })
  const [{ id, plan }] = (await box.call('/hifz/learners')).learners
  await box.call(`/hifz/learners/${id}/plan`, { ...plan, cycle_days: 45 }, 'PUT')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const { plan: joined } = (await box.call('/hifz/learners')).learners[0]
  assert.deepEqual([joined.days, joined.cycle_days], [0b101_1111, 45])
  // Tapped twice by a nervous thumb, it is one grade.
  await page.route('**/api/hifz/learners', (route) => route.abort('connectionreset'))
  await tapTwice(page, '**/grades', portion.getByRole('button', { name: 'Hesitant' }))
  // It is kept, though the answer with the new list is lost: nobody is told to give it again.
  await page.locator('.notices').getByText('An-Nas 1–3').waitFor()
  await page.unroute('**/api/hifz/learners')
  await portion.getByRole('button', { name: 'Hesitant', pressed: true }).waitFor()
  const facts = page.locator('.learner-facts')
  await facts.getByText('verses', { exact: true }).waitFor()
  assert.match((await facts.textContent()) ?? '', /verses3.*weak portions1/)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Take it along' }).click(),
  ])
  const kept = JSON.parse(readFileSync(await download.path(), 'utf8'))
  assert.deepEqual([kept.learner.name, kept.grades.length], ['Maryam', 1])

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
})
