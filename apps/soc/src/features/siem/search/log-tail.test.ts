import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { storedLog } from '../../../testing/stored-log.ts'
import { openLogTail } from './log-tail.ts'

test('who reads on after a flood is told what was left out, also if nothing comes any more', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let told = ''
  const response = {
    writableLength: 0,
    write: (text: string) => {
      told += text
    },
    end: () => {},
  }
  const tail = openLogTail(response as unknown as ServerResponse, () => true)
  t.after(() => tail.end())
  response.writableLength = 2 ** 30
  await tail.offer([storedLog({ id: 'a' }), storedLog({ id: 'b' })])
  t.mock.timers.tick(250)
  response.writableLength = 0
  t.mock.timers.tick(250)
  assert.match(told, /^event: ready\ndata: \{\}\n\nevent: skipped\ndata: \{"count":2\}\n\n$/)
})
