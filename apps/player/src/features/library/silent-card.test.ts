import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Card } from '../../ports/card.ts'
import { playerFixture } from '../../testing/player-fixture.ts'

const SILENT = 'the card does not answer: take it out and put it in again'

/** A box whose card stops answering when a test says so. */
async function boxWithCard(t: TestContext) {
  let isSilent = false
  const listeners = new Set<() => void>()
  const unlessSilent =
    <Args extends unknown[], Value>(look: (...args: Args) => Promise<Value>) =>
    async (...args: Args) => {
      if (isSilent) throw Object.assign(new Error(SILENT), { status: 503 })
      return look(...args)
    }
  const spoilt = (card: Card): Card => ({
    ...card,
    identity: async () => (isSilent ? undefined : card.identity()),
    problem: () => (isSilent ? SILENT : undefined),
    onProblem(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    list: unlessSilent(card.list),
    folderStamp: unlessSilent(card.folderStamp),
    watchFolders: () => ({ follow: () => true, close() {} }),
  })
  const box = await playerFixture(t, { spoil: { card: spoilt } })
  return {
    ...box,
    fallSilent(silent: boolean) {
      isSilent = silent
      for (const listener of listeners) listener()
    },
    failures: async () => (await box.get('/system')).json().boot_failures,
    library: async () => (await box.get('/library/status')).json(),
  }
}

test('a card that does not answer is told to its owner until it does', async (t) => {
  const { fallSilent, failures, library, news, next, post } = await boxWithCard(t)
  assert.deepEqual([(await library()).error, await failures()], [undefined, []])
  news()
  fallSilent(true)
  assert.deepEqual(news(), ['library', 'system'])
  assert.equal((await library()).error, SILENT)
  assert.deepEqual(await failures(), [{ component: 'card', error: SILENT }])
  const upload = await post('/library/uploads', { path: 'Husary/003.mp3', size: 9 })
  assert.deepEqual([upload.statusCode, upload.json().error], [409, `path: ${SILENT}`])
  const told = next('system')
  fallSilent(false)
  await told
  assert.deepEqual([(await library()).error, await failures()], [undefined, []])
})

test('what was not found while the card was silent is there when it answers', async (t) => {
  const { events, fallSilent, post } = await boxWithCard(t)
  fallSilent(true)
  assert.equal((await post('/library/rescan')).json().reciter_count, 0)
  const found = new Promise<void>((resolve) => {
    events.on('library', ({ reciter_count }) => reciter_count > 0 && resolve())
  })
  fallSilent(false)
  await found
})
