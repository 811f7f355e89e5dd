import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { test } from 'node:test'
import { unavailable } from '@manara/kit/errors'
import { createGroups } from './groups.ts'

const member = {
  caller: 'kim',
  principal: {
    username: 'kim',
    role: 'analyst' as const,
    permissions: new Set<never>(),
    kind: 'user' as const,
  },
}

test('whoever asks while a group is written is in the next one', async () => {
  const groups: number[][] = []
  const ask = createGroups<number, string, string>(async (group) => {
    const numbers = group.map(({ asked }) => asked)
    groups.push(numbers)
    if (groups.length === 1) for (const number of [3, 4, 5]) void ask(member, number)
    return numbers.map((number) => `done ${number}`)
  })
  const done = await Promise.all([1, 2].map((number) => ask(member, number)))
  assert.deepEqual(done, ['done 1', 'done 2'])
  await ask(member, 6)
  assert.deepEqual(groups, [[1, 2], [3, 4, 5], [6]])
})

test('one that is refused is refused alone, the others are done', async () => {
  const ask = createGroups<number, number, string>(async (group) => {
    if (group.some(({ asked }) => asked === 2)) throw new Error('not this one')
    return group.map(({ asked }) => asked)
  })
  const done = await Promise.allSettled([1, 2, 3].map((number) => ask(member, number)))
  assert.deepEqual(
    done.map((one) => (one.status === 'fulfilled' ? one.value : String(one.reason))),
    [1, 'Error: not this one', 3],
  )
})

test('what may have been done is not tried again', async () => {
  for (const failure of [
    Object.assign(new Error('gone'), { code: 'ECONNRESET' }),
    unavailable('went away while saving', Object.assign(new Error(), { code: 'ECONNRESET' })),
  ]) {
    let tries = 0
    const ask = createGroups<number, number, string>(async () => {
      tries += 1
      throw failure
    })
    const done = await Promise.allSettled([1, 2, 3].map((number) => ask(member, number)))
    assert.deepEqual([tries, done.map(({ status }) => status)], [1, Array(3).fill('rejected')])
  }
})

test('each is answered in the context of its own request', async () => {
  const readers = new AsyncLocalStorage<string>()
  const ask = createGroups<number, string | undefined, string>(async (group) =>
    group.map(({ inContext }) => inContext(() => readers.getStore())),
  )
  const done = await Promise.all(
    ['kim', 'lee'].map((name, at) => readers.run(name, () => ask(member, at))),
  )
  assert.deepEqual(done, ['kim', 'lee'])
})
