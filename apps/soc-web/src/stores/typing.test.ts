import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTyping } from './typing.ts'

function someone() {
  let now = 0
  let waits: { at: number; then: () => void }[] = []
  const typing = createTyping({
    now: () => now,
    after: (ms, then) => waits.push({ at: now + ms, then }),
  })
  const page = new EventTarget()
  typing.follow(page)
  const hears = (event: string) => page.dispatchEvent(new Event(event))
  const pass = async (ms: number) => {
    now += ms
    const due = waits.filter(({ at }) => at <= now)
    waits = waits.filter(({ at }) => at > now)
    for (const { then } of due) then()
    await new Promise(setImmediate)
  }
  return { typing, hears, pass }
}

test('who types is left alone until there is a pause', async () => {
  const { typing, hears, pass } = someone()
  let isOver = false
  hears('input')
  void typing.pause().then(() => {
    isOver = true
  })
  for (let letter = 0; letter < 20; letter += 1) {
    await pass(1_000)
    hears('input')
  }
  await pass(2_999)
  assert.equal(isOver, false)
  await pass(1)
  assert.equal(isOver, true)
})

test('who types nothing, or has sent it, is not waited for', async () => {
  const { typing, hears } = someone()
  await typing.pause()
  for (const end of ['submit', 'focusout']) {
    hears('input')
    hears(end)
    await typing.pause()
  }
})
