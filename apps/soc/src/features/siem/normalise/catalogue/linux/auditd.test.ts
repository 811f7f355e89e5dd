import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalise } from '../../normalise.ts'

test('records of one event id, a line each, all say who did it', () => {
  const memory = new Map()
  const arrival = { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id', memory }
  const read = (text: string) => normalise({ text }, arrival)
  const id = 'msg=audit(1772532000.250:79):'
  read(`type=SYSCALL ${id} syscall=59 success=yes auid=1000 uid=0 comm="cat" exe="/usr/bin/cat"`)
  const path = read(`type=PATH ${id} item=0 name="/etc/shadow" nametype=NORMAL`)
  assert.partialDeepStrictEqual(path, {
    user: '1000',
    process: 'cat',
    event_code: 'PATH',
    fields: { 'file.path': '/etc/shadow', exe: '/usr/bin/cat', 'event.outcome': 'success' },
  })
  const other = read('type=PATH msg=audit(1772532000.250:80): item=0 name="/etc/passwd"')
  assert.equal(other.user, null)
})

test('what only looks like a record is left to others', () => {
  const log = normalise(
    { text: 'the audit(or) said a=1 b=2 c=3' },
    { receivedAt: 0, way: 'api', newId: () => 'id' },
  )
  assert.equal(log.fields._parser, 'generic.key_value')
})
