import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../testing/stored-log.ts'
import { createNotebook } from './note-sightings.ts'
import { createOnce } from './tell-once.ts'

const START = Date.UTC(2035, 0, 20)

const write = (id: string, receivedAt: number) =>
  storedLog({
    id,
    received_at: receivedAt,
    fields: {
      _path: 'modbus',
      ...{ 'id.orig_h': '10.1.9.9', 'id.resp_h': '10.1.3.7', 'id.resp_p': '502' },
      func: 'WRITE_SINGLE_REGISTER',
    },
  })

function listening() {
  let isRead = false
  const once = createOnce({ since: START, isPastRead: () => isRead })
  const counted = (logs: Parameters<typeof once.take>[0]) => {
    const notebook = createNotebook(() => START)
    notebook.note(once.take(logs), START)
    return notebook.take(10).writes.map(({ count }) => count)
  }
  return { once, counted, endOfPast: () => (isRead = true) }
}

const before = write('before', START - 1)
const first = write('first', START)
const second = write('second', START + 1)

test('a command that came in while the past was read counts once, whoever tells of it first', () => {
  const { counted, endOfPast } = listening()
  assert.deepEqual(counted([first]), [1], 'as it came')
  assert.deepEqual(counted([before, first, second]), [2], 'in the past')
  assert.deepEqual(counted([second]), [], 'as it came, a moment later')
  endOfPast()
  assert.deepEqual(counted([second]), [], 'when the past is read')
  assert.deepEqual(counted([write('third', START + 2)]), [1])
})

test('a page of the past that could not be stored is told of when it is read again', () => {
  const { counted, once } = listening()
  assert.deepEqual(counted([before, first]), [2])
  once.putBack([before, first])
  assert.deepEqual(counted([before, first]), [2])
})
