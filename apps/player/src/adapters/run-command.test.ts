import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRunCommand } from './run-command.ts'

test('what a program says, and that there is none of that name', async () => {
  const run = createRunCommand('/usr/bin:/bin')
  assert.deepEqual(await run('cat', [], { input: 'heard' }), {
    ...{ code: 0, stdout: 'heard', stderr: '' },
  })
  const { code, isMissing } = await run('no-such-program', [])
  assert.deepEqual([code, isMissing], [undefined, true])
})

test('a program that the system does not even try to start is an outcome as well', async () => {
  const { code, isMissing, stderr } = await createRunCommand('/usr/bin:/bin')('echo', ['a\0b'])
  assert.deepEqual([code, isMissing], [undefined, false])
  assert.match(stderr, /null bytes/)
})
