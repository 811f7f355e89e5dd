import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashPassword, isPassword } from './passwords.ts'

test('a flood of strangers is bounded, and a known place has its turn before they are through', async () => {
  const hash = await hashPassword('the right one')
  const order: (string | number)[] = []
  const check = (name: string, password: string, who?: string) =>
    isPassword(hash, password, who).then(
      (isRight) => order.push(isRight ? name : `${name} wrong`),
      (error: { status: number }) => order.push(error.status),
    )
  const strangers = Array.from({ length: 130 }, () => check('stranger', 'a guess'))
  await Promise.all([...strangers, check('owner', 'the right one', 'owner from their desk')])
  assert.equal(order.filter((one) => one === 429).length, 30)
  const served = order.filter((one) => one !== 429)
  assert.equal(served.length, 101)
  assert.ok(served.indexOf('owner') < 10, `the owner came after ${served.indexOf('owner')}`)
})
