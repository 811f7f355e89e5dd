import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createPatience } from './patience.ts'

const never = () => new Promise<never>(() => {})
/** What was asked has begun. */
const begun = () => new Promise(setImmediate)

test('what does not come in time is given up, and what comes then is handed over', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { ask, isSilent } = createPatience(2, 1_000)
  const slow = Promise.withResolvers<string>()
  const late: string[] = []
  const asked = ask(() => slow.promise, { tooLate: (value) => late.push(value) })
  await begun()
  t.mock.timers.tick(1_000)
  await assert.rejects(asked, { status: 503, message: /^the card does not answer/ })
  assert.equal(isSilent(), false)
  assert.equal(await ask(async () => 'in time'), 'in time')
  slow.resolve('opened')
  await slow.promise
  await ask(async () => {})
  assert.deepEqual(late, ['opened'])
})

test('while nothing comes back, nobody waits in line and nothing more is begun', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { ask, isSilent, onChange } = createPatience(2, 1_000)
  let told = 0
  onChange(() => {
    told += 1
  })
  const dead = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let done = 0
  const lost = dead.map(({ promise }) => ask(() => promise))
  const inLine = ask(async () => {
    done += 1
  })
  await begun()
  t.mock.timers.tick(1_000)
  for (const asked of [...lost, inLine, ask(never)]) await assert.rejects(asked, { status: 503 })
  assert.deepEqual([isSilent(), done, told], [true, 0, 1])

  dead[0]?.resolve()
  await begun()
  assert.deepEqual([isSilent(), told], [false, 2])
  await ask(async () => {
    done += 1
  })
  assert.equal(done, 1)
})

test('no more calls are under way than may be, and each has its turn', async () => {
  const { ask } = createPatience(3)
  let underWay = 0
  let most = 0
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, number) =>
      ask(async () => {
        most = Math.max(most, ++underWay)
        await new Promise(setImmediate)
        underWay -= 1
        if (number === 7) throw new Error('unreadable')
        return number
      }).catch((error: Error) => error.message),
    ),
  )
  assert.equal(most, 3)
  assert.deepEqual(
    results,
    Array.from({ length: 20 }, (_, number) => (number === 7 ? 'unreadable' : number)),
  )
})

test('a call that throws at once gives its place back', async () => {
  const { ask } = createPatience(1)
  const broken = () => {
    throw new Error('out of range')
  }
  await assert.rejects(ask(broken), /out of range/)
  assert.equal(await ask(async () => 'next'), 'next')
})
