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
  const ask = createGroups<number, string, typeof member>(async (group) => {
    const numbers = group.map(({ asked }) => asked)
    groups.push(numbers)
    if (groups.length === 1) for (const number of [4, 5, 6]) void ask(member, number)
    return numbers.map((number) => `done ${number}`)
  })
  const done = await Promise.all([1, 2, 3].map((number) => ask(member, number)))
  assert.deepEqual(done, ['done 1', 'done 2', 'done 3'])
  await ask(member, 7)
  assert.deepEqual(groups.flat(), [1, 2, 3, 4, 5, 6, 7])
  assert.deepEqual(groups[0], [1, 2, 3])
})

test('who comes after few is written beside them, after many behind them', async () => {
  const groups: { size: number; end(): void }[] = []
  const begun: (() => void)[] = []
  const ask = createGroups<number, number, typeof member>(async (group) => {
    const ended = Promise.withResolvers<void>()
    groups.push({ size: group.length, end: ended.resolve })
    begun.shift()?.()
    await ended.promise
    return group.map(({ asked }) => asked)
  })
  const nextGroup = () => new Promise<void>((resolve) => begun.push(resolve))
  const asked = (count: number) => Array.from({ length: count }, (_, at) => ask(member, at))

  let began = nextGroup()
  const all = asked(1)
  await began
  began = nextGroup()
  all.push(...asked(5))
  await began
  assert.deepEqual(
    groups.map(({ size }) => size),
    [1, 5],
    'beside the first, which is not done',
  )
  all.push(...asked(4))
  groups[0]?.end()
  await all[0]
  await new Promise(setImmediate)
  assert.equal(groups.length, 2, 'five hold up who comes after them')
  began = nextGroup()
  groups[1]?.end()
  await began
  assert.equal(groups[2]?.size, 4)
  groups[2]?.end()
  await Promise.all(all)
})

const HOURS = 1e7

test('many who ask again as soon as they are answered are written together again', async () => {
  const sizes: number[] = []
  const ask = createGroups<number, number, typeof member>(async (group) => {
    sizes.push(group.length)
    return group.map(({ asked }) => asked)
  }, HOURS)
  await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      await ask(member, at)
      // Their next requests are read in later turns of the loop, not all in the next one.
      for (let turn = 0; turn <= at; turn += 1) await new Promise(setImmediate)
      await ask(member, at)
    }),
  )
  assert.deepEqual(sizes, [10, 10])
})

test('sixteen are written in halves beside each other, and again when a half was answered', async () => {
  const groups: { asked: number[]; end(): void }[] = []
  const begun = Array.from({ length: 4 }, () => Promise.withResolvers<void>())
  const ask = createGroups<number, number, typeof member>(async (group) => {
    const asked = group.map((one) => one.asked)
    const ended = Promise.withResolvers<void>()
    groups.push({ asked, end: ended.resolve })
    begun[groups.length - 1]?.resolve()
    await ended.promise
    return asked
  }, HOURS)
  const done = Promise.all(
    Array.from({ length: 16 }, async (_, at) => {
      await ask(member, at)
      for (let turn = 0; turn <= at; turn += 1) await new Promise(setImmediate)
      return ask(member, 100 + at)
    }),
  )
  await begun[1]?.promise
  assert.deepEqual(
    groups.map(({ asked }) => asked.length),
    [8, 8],
    'both are under way',
  )
  groups[0]?.end()
  await begun[2]?.promise
  assert.deepEqual(groups[2]?.asked.toSorted(), [100, 101, 102, 103, 104, 105, 106, 107])
  groups[2]?.end()
  groups[1]?.end()
  await begun[3]?.promise
  groups[3]?.end()
  assert.deepEqual(await done, groups[2]?.asked.concat(groups[3]?.asked ?? []).toSorted())
})

test('who was answered and stays away holds up nobody', async () => {
  const sizes: number[] = []
  const ask = createGroups<number, number, typeof member>(async (group) => {
    sizes.push(group.length)
    await new Promise(setImmediate)
    return group.map(({ asked }) => asked)
  }, 1)
  const rounds = Array.from({ length: 16 }, (_, at) => (at < 3 ? 1 : 6))
  await Promise.all(
    rounds.map(async (count, at) => {
      for (let round = 0; round < count; round += 1) await ask(member, at)
    }),
  )
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    rounds.reduce((sum, count) => sum + count, 0),
  )
})

test('one that is refused is refused alone, the others are done', async () => {
  const ask = createGroups<number, number, typeof member>(async (group) => {
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
    const ask = createGroups<number, number, typeof member>(async () => {
      tries += 1
      throw failure
    })
    const done = await Promise.allSettled([1, 2, 3].map((number) => ask(member, number)))
    assert.deepEqual([tries, done.map(({ status }) => status)], [1, Array(3).fill('rejected')])
  }
})

test('each is answered in the context of its own request', async () => {
  const readers = new AsyncLocalStorage<string>()
  const ask = createGroups<number, string | undefined, typeof member>(async (group) =>
    group.map(({ inContext }) => inContext(() => readers.getStore())),
  )
  const done = await Promise.all(
    ['kim', 'lee'].map((name, at) => readers.run(name, () => ask(member, at))),
  )
  assert.deepEqual(done, ['kim', 'lee'])
})
