import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalise } from '../../normalise.ts'

test('the header of a file names the columns of the lines after it', () => {
  const memory = new Map()
  const arrival = { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id', memory }
  const read = (text: string) => normalise({ text }, arrival)
  read('#separator \\x09')
  read('#path\tdns')
  read('#fields\tts\tuid\tid.orig_h\tid.orig_p\tid.resp_h\tid.resp_p\tproto\tquery')
  const line = '1772532000.5\tC1\t192.0.2.7\t4711\t198.51.100.2\t53\tudp\twww.example.test'
  assert.partialDeepStrictEqual(read(line), {
    at: 1_772_532_000_500,
    event_code: 'dns',
    src_ip: '192.0.2.7',
    fields: { _path: 'dns', query: 'www.example.test', 'dns.question.name': 'www.example.test' },
  })
})
