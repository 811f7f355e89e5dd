import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from '@manara/kit/logging'
import { createKeyUses } from './key-uses.ts'
import type { Session } from './principal.ts'

test('of the uses of a key on one day only the first is noted, and the last is known', () => {
  const clock = { now: Date.parse('2026-12-31T00:00:00Z') }
  const noted: unknown[] = []
  const uses = createKeyUses({
    async recordAudit(entries) {
      for (const { target } of entries) noted.push([target, clock.now])
    },
    log: createLogger({ service: 'test', level: 'silent', pretty: false }),
    now: () => clock.now,
  })
  const use = (id: string, at: string) => {
    clock.now = Date.parse(at)
    const principal = { id: 'u1', username: 'collector', role: 'analyst' }
    uses.note({ ip: '192.0.2.1', id: 'r1' } as never, { id, principal } as unknown as Session)
    return clock.now
  }
  const first = use('one', '2026-12-31T00:00:00.000Z')
  const other = use('other', '2026-12-31T23:59:59.998Z')
  use('one', '2026-12-31T23:59:59.999Z')
  const next = use('one', '2027-01-01T00:00:00.000Z')
  const last = use('one', '2027-01-01T00:00:00.001Z')
  assert.deepEqual(noted, [
    ['api_key:one', first],
    ['api_key:other', other],
    ['api_key:one', next],
  ])
  assert.deepEqual([uses.lastUseOf('one'), uses.lastUseOf('third')], [last, undefined])
})
