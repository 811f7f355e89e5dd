import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Logger } from '@manara/kit/logging'
import { until } from '../../testing/until.ts'
import { watchServers } from './watch-servers.ts'

test('why a server does not do what is asked is said once for each reason', async (t) => {
  let wrong: string | undefined = 'cannot be reached'
  let looks = 0
  const said: string[] = []
  const server = {
    name: 'one:8123',
    isUp: () => true,
    async feel() {
      looks += 1
      if (wrong) throw new Error(wrong)
    },
  }
  const log = {
    error: (_error: object, words: string) => said.push(words),
    info: (words: string) => said.push(words),
  }
  const watch = watchServers([server], log as unknown as Logger, 1)
  t.after(watch.stop)
  assert.equal(watch.state(), 'down', 'nothing is known yet')
  const twice = async () => {
    const before = looks
    await until('two looks', async () => looks >= before + 2)
  }
  await twice()
  wrong = 'has no such database'
  await twice()
  assert.equal(watch.state(), 'down')
  wrong = undefined
  await twice()
  assert.equal(watch.state(), 'up')
  assert.deepEqual(said, [
    'the log store cannot be used: cannot be reached',
    'the log store cannot be used: has no such database',
    'ClickHouse at one:8123 is used again',
  ])
})
