import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Profile } from '@manara/soc-contract/users'
import { signal } from '@preact/signals'
import { createComingBack } from './coming-back.ts'

const person = (id: string, username = id) => ({ id, username }) as Profile

function page(me: Profile | null, pause = Promise.resolve()) {
  const here = signal(me)
  const left: string[] = []
  let signedIn: Profile | null = null
  let looks = 0
  const back = createComingBack({
    api: {
      async get() {
        looks += 1
        if (!signedIn) throw new Error('401')
        return signedIn as never
      },
    },
    me: here,
    leave: (to) => left.push(to),
    pause: () => pause,
  })
  const signIn = (who: Profile) => {
    signedIn = who
    return back.look()
  }
  return { back, left, signIn, here, looks: () => looks }
}

test('who was nobody yet is sent to sign in', async () => {
  const { back, left } = page(null)
  assert.equal(await back.wait(), false)
  assert.deepEqual([left, back.isAsking.value], [['sign-in'], false])
})

test('all who were refused wait for one answer, and go on with the same person', async () => {
  const { back, left, signIn, looks } = page(person('1', 'layla'))
  const waiting = Promise.all([back.wait(), back.wait()])
  await Promise.resolve()
  assert.equal(looks(), 1)
  assert.equal(await signIn(person('1', 'layla')), true)
  assert.deepEqual(await waiting, [true, true])
  assert.deepEqual([left, back.isAsking.value], [[], false])
})

test('it is asked for only when nobody is there', async () => {
  const { back } = page(person('1'))
  void back.wait()
  assert.equal(back.isAsking.value, false)
  await new Promise(setImmediate)
  assert.equal(back.isAsking.value, true)
})

test('who is in the middle of a text is told, and asked when there is a pause', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const { back, signIn } = page(person('1'), promise)
  const waiting = back.wait()
  await new Promise(setImmediate)
  assert.deepEqual([back.isOver.value, back.isAsking.value], [true, false])
  resolve()
  await new Promise(setImmediate)
  assert.equal(back.isAsking.value, true)
  await signIn(person('1'))
  assert.equal(await waiting, true)
  assert.deepEqual([back.isOver.value, back.isAsking.value], [false, false])
})

test('nothing is sent for somebody else, whatever their name is', async () => {
  const { back, left, signIn } = page(person('1', 'layla'))
  const waiting = back.wait()
  await new Promise(setImmediate)
  await signIn(person('2', 'layla'))
  assert.equal(await waiting, false)
  // The question stays in front until the page is gone.
  assert.deepEqual([left, back.isAsking.value], [['beginning'], true])
})
