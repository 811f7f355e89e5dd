import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openChanges } from '../../testing/changes-of.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { blockIndicators, unblockIndicators } from './block-indicators.ts'
import { findIndicator } from './find-indicator.ts'

test('what playbooks do with indicators', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { database, internalWorkflow } = await openChanges(t, soc.connection)
  const block = (...values: string[]) =>
    internalWorkflow((change) =>
      blockIndicators(change, { values, score: 90, valid_days: 30, reason: 'ransomware' }),
    )
  const unblock = (ids: string[]) => internalWorkflow((change) => unblockIndicators(change, ids))
  const read = async (id: string | undefined) => (await soc.call('GET', `/iocs/${id}`, { as })).body

  await t.test('a block makes an indicator, and its way back revokes it', async () => {
    const { indicator_ids, values } = await block('203.0.113[.]7', '203.0.113.7')
    assert.deepEqual(values, ['203.0.113.7'])
    const [id] = indicator_ids
    const blocked = await read(id)
    assert.deepEqual([blocked.score, blocked.tags, blocked.revoked], [90, ['blocked'], false])
    assert.equal(blocked.description, 'ransomware')
    const days = (Date.parse(blocked.valid_until) - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30)
    await unblock(indicator_ids)
    const after = await read(id)
    assert.deepEqual([after.revoked, after.effective_score, after.tags], [true, 0, []])
  })

  await t.test('one that was there is afterwards as it was', async () => {
    const body = { value: 'evil.example', score: 40, tags: ['apt'] }
    const { body: before } = await soc.call('POST', '/iocs', { as, body })
    await soc.call('PATCH', `/iocs/${before.id}`, { as, body: { revoked: true } })
    const { indicator_ids } = await block('EVIL.example')
    assert.deepEqual(indicator_ids, [before.id])
    const blocked = await read(before.id)
    assert.deepEqual(
      [blocked.score, blocked.revoked, blocked.tags.sort()],
      [90, false, ['apt', 'blocked']],
    )
    await unblock(indicator_ids)
    await unblock(indicator_ids)
    const after = await read(before.id)
    assert.deepEqual([after.score, after.revoked, after.tags], [40, true, ['apt']])
    assert.equal(after.valid_until, null)
  })

  await t.test('blocked twice, it stays so until both are taken back', async () => {
    const body = { value: 'twice.example', score: 40, tags: ['apt'] }
    const { body: before } = await soc.call('POST', '/iocs', { as, body })
    const { indicator_ids } = await block('twice.example', 'new.example')
    await block('twice.example')
    await block('twice.example')
    await unblock([...indicator_ids, ...indicator_ids])
    await unblock([before.id])
    const still = await read(before.id)
    assert.deepEqual(
      [still.score, still.revoked, still.tags.sort()],
      [90, false, ['apt', 'blocked']],
    )
    const other = await read(indicator_ids.find((id) => id !== before.id))
    assert.deepEqual([other.value, other.revoked], ['new.example', true])
    await unblock([before.id])
    await unblock([before.id])
    const after = await read(before.id)
    assert.deepEqual(
      [after.score, after.revoked, after.tags, after.valid_until],
      [40, false, ['apt'], null],
    )
  })

  await t.test('what a person revokes meanwhile stays revoked', async () => {
    const body = { value: 'harmless.example', score: 40 }
    const { body: before } = await soc.call('POST', '/iocs', { as, body })
    const { indicator_ids } = await block('harmless.example')
    await soc.call('PATCH', `/iocs/${before.id}`, { as, body: { revoked: true } })
    await unblock(indicator_ids)
    const after = await read(before.id)
    assert.deepEqual([after.score, after.revoked], [40, true])
  })

  await t.test(
    'what is told of it while it is blocked is not taken back with the block',
    async () => {
      const told = (value: string, score: number, valid_until?: string) =>
        soc.call('POST', '/iocs', { as, body: { value, score, valid_until, sources: ['feed'] } })
      const until = new Date(Date.now() + 90 * 86_400_000).toISOString()
      const late = await block('late.example')
      await told('late.example', 60, until)
      await block('late.example')
      await unblock(late.indicator_ids)
      await unblock(late.indicator_ids)
      const feeds = await read(late.indicator_ids[0])
      assert.deepEqual(
        [feeds.revoked, feeds.score, feeds.valid_until, feeds.tags],
        [false, 60, until, []],
      )
      const { body: known } = await told('known.example', 40)
      const { indicator_ids } = await block('known.example')
      await told('known.example', 70, until)
      await unblock(indicator_ids)
      const after = await read(known.id)
      assert.deepEqual([after.revoked, after.score, after.valid_until], [false, 70, null])
      const { indicator_ids: mine } = await block('mine.example')
      await soc.call('PATCH', `/iocs/${mine[0]}`, { as, body: { score: 55, revoked: false } })
      await unblock(mine)
      const kept = await read(mine[0])
      assert.deepEqual([kept.revoked, kept.score], [false, 55])
    },
  )

  await t.test('one blocked before blocks were counted is taken back by one', async () => {
    const { indicator_ids } = await block('old.example')
    await soc.query("UPDATE iocs SET before_block = '{}' WHERE value = 'old.example'")
    await unblock(indicator_ids)
    assert.equal((await read(indicator_ids[0])).revoked, true)
  })

  await t.test('what is no indicator is 400 that names it', async () => {
    await assert.rejects(block('nonsense'), /values: nonsense is no address/)
    await assert.rejects(
      block('0.0.0.0/1'),
      /values: 0\.0\.0\.0\/1 is too wide: a network has at least \/12/,
    )
  })

  await t.test(
    'one that cannot be blocked is named, and keeps the others from nothing',
    async () => {
      const empty = 'd41d8cd98f00b204e9800998ecf8427e'
      const { values, skipped } = await block(empty, '192.0.2.99', 'a file', '0.0.0.0/1')
      assert.deepEqual(values, ['192.0.2.99'])
      assert.equal((await findIndicator(database.kysely, '192.0.2.99'))?.value, '192.0.2.99')
      assert.equal(await findIndicator(database.kysely, empty), null)
      assert.match(
        skipped.join('; '),
        /^d41d8cd98f00b204e9800998ecf8427e is the hash of every empty file; a file is no address.*; 0\.0\.0\.0\/1 is too wide/,
      )
    },
  )

  await t.test('an indicator is found for what it covers, the narrowest first', async () => {
    const known = ['198.51.100.0/24', '198.51.0.0/16', 'c2.example', '2001:db8::/32']
    for (const value of [...known, 'y.c2.example/gate.php']) {
      await soc.call('POST', '/iocs', { as, body: { value } })
    }
    const found = async (text: string) => (await findIndicator(database.kysely, text))?.value
    assert.equal(await found('198.51.100.9'), '198.51.100.0/24')
    assert.equal(await found('198.51.7.9'), '198.51.0.0/16')
    assert.equal(await found('2001:db8::1'), '2001:db8::/32')
    assert.equal(await found('a.b.c2.example'), 'c2.example')
    assert.equal(await found('hxxps://x.c2[.]example/p'), 'c2.example')
    assert.equal(await found('someone@c2.example'), 'c2.example')
    assert.equal(await found('x.c2.example/gate.php'), 'c2.example')
    assert.equal(await found('x.c2.example:8080'), 'c2.example')
    assert.equal(await found('https://y.c2.example/gate.php#top'), 'y.c2.example/gate.php')
    assert.equal(await found('192.0.2.1'), undefined)
    assert.equal(await found('no indicator'), undefined)
  })
})
