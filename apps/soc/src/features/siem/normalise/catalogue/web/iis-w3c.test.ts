import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalise } from '../../normalise.ts'

test('the order that #Fields says is that of the lines after it, in the same request', () => {
  const memory = new Map()
  const arrival = { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id', memory }
  const read = (text: string) => normalise({ text }, arrival)
  read('#Fields: date time c-ip cs-username sc-status cs-method cs-uri-stem')
  assert.partialDeepStrictEqual(read('2026-03-03 10:00:00 192.0.2.7 eve 403 PUT /x'), {
    at: Date.UTC(2026, 2, 3, 10),
    user: 'eve',
    src_ip: '192.0.2.7',
    event_code: '403',
    fields: { 'cs-method': 'PUT', 'cs-uri-stem': '/x', _parser: 'web.iis' },
  })
})
