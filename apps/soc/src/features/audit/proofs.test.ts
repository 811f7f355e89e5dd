import assert from 'node:assert/strict'
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { AuditVerdict } from '@manara/soc-contract/audit'
import { type AuditRow, detailsHash, entryHash, FIRST_HASH } from '../../core/audit/chain.ts'
import { grow, rootFromPath } from '../../core/proofs/merkle.ts'
import { isGenuine } from '../../core/proofs/signed.ts'
import { readPublicKeys } from '../../core/proofs/signer.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

async function signedLog(t: TestContext, options: Parameters<typeof startTestSoc>[1] = {}) {
  const soc = await startTestSoc(t, options)
  const as = await soc.signIn()
  const verify = async (): Promise<AuditVerdict> =>
    (await soc.call('GET', '/audit/verify', { as })).body
  for (let n = 0; n < 5; n += 1) await soc.call('GET', '/audit')
  await until('all of it is signed', async () => {
    const { sealed, signed, unsealed } = await verify()
    return unsealed === 0 && sealed > 5 && signed?.size === sealed
  })
  return { soc, as, verify }
}

/** Past the triggers and with every hash, the head and the tree recomputed: what an owner can do. */
async function rewrite(
  { soc }: Awaited<ReturnType<typeof signedLog>>,
  forge: (rows: AuditRow[]) => AuditRow[],
) {
  const rows = await soc.query<AuditRow>(
    'SELECT * FROM audit_log WHERE seq IS NOT NULL ORDER BY seq',
  )
  let [hash, frontier] = [FIRST_HASH, [] as ReturnType<typeof grow>]
  const forged = forge(rows).map((row, index) => {
    const seq = String(index + 1)
    const prev_hash = hash
    const details_hash = detailsHash(row)
    hash = entryHash(row, details_hash, seq, prev_hash)
    frontier = grow(frontier, hash)
    return { ...row, seq, prev_hash, entry_hash: hash, details_hash }
  })
  await soc.query(
    `SET session_replication_role = replica; DELETE FROM audit_log WHERE seq IS NOT NULL`,
  )
  for (const row of forged) {
    const columns = Object.keys(row)
    const values = columns.map((_, at) => `$${at + 1}`)
    await soc.query(
      `INSERT INTO audit_log (${columns.join()}) OVERRIDING SYSTEM VALUE VALUES (${values.join()})`,
      Object.values(row),
    )
  }
  await soc.query('UPDATE audit_head SET seq = $1, entry_hash = $2, frontier = $3', [
    forged.length,
    hash,
    JSON.stringify(frontier),
  ])
}

for (const [what, forge, reason] of [
  ['cut off', (rows: AuditRow[]) => rows.slice(0, 3), /is missing: \d+ were signed/],
  [
    'rewritten',
    (rows: AuditRow[]) => rows.map((row, at) => (at === 1 ? { ...row, actor: 'nobody' } : row)),
    /rewritten/,
  ],
  ['thinned out', (rows: AuditRow[]) => rows.filter((_, at) => at !== 1), /missing|rewritten/],
] as const) {
  test(`GET /audit/verify finds a log that its owner has ${what}, hashes and all`, async (t) => {
    const log = await signedLog(t)
    await rewrite(log, forge)
    const verdict = await log.verify()
    assert.equal(verdict.valid, false)
    assert.match(verdict.broken_at?.reason ?? '', reason)

    // It grows past what was signed: nobody vouches for the forged log then either.
    const { size = 0 } = verdict.signed ?? {}
    for (let n = 0; n < 10; n += 1) await log.soc.call('GET', '/audit')
    await until('it has grown', async () => (await log.verify()).sealed > size)
    const later = await log.verify()
    assert.equal(later.valid, false)
    assert.equal(later.signed?.size, size)
  })
}

test('GET /audit/{id}/proof proves one entry to who has the public key alone', async (t) => {
  const { soc, as } = await signedLog(t)
  const { items } = (await soc.call('GET', '/audit?order=asc&limit=3', { as })).body
  assert.equal(items.length, 3)
  const keys = readPublicKeys(
    readFileSync(path.join(soc.dataDir, 'anchors/public-keys.pem'), 'utf8'),
  )
  for (const entry of items) {
    const { body } = await soc.call('GET', `/audit/${entry.id}/proof`, { as })
    assert.ok(isGenuine(body.head, keys))
    assert.equal(body.entry_hash, entry.entry_hash)
    assert.equal(
      rootFromPath(body.entry_hash, body.index, body.head.size, body.path),
      body.head.root,
    )
  }
  for (const unknown of ['99999', 'x']) {
    assert.equal((await soc.call('GET', `/audit/${unknown}/proof`, { as })).status, 404)
  }
})

test('POST /audit/{id}/erase takes personal data out, and the log still holds', async (t) => {
  const { soc, as, verify } = await signedLog(t)
  const kim = { username: 'kim', password: 'a long password', role: 'admin', full_name: 'Kim Doe' }
  await soc.call('POST', '/users', { as, body: kim })
  const other = await soc.signIn('kim', kim.password)
  const find = async () =>
    (await soc.call('GET', '/audit?action=user.create&target=user:kim', { as })).body.items[0]
  await until('it is sealed', async () => (await find()).seq !== null)
  const { id } = await find()
  const erase = (by: string) =>
    soc.call('POST', `/audit/${id}/erase`, { as: by, body: { reason: 'Kim asked for it' } })
  assert.equal((await erase(as)).status, 403, 'nobody erases their own doings')
  assert.equal((await erase(await soc.signInAs('auditor'))).status, 403)
  assert.equal((await erase(other)).status, 200)
  const { after, address, erased_at } = await find()
  assert.deepEqual([after, address, typeof erased_at], [null, null, 'string'])
  assert.equal((await erase(other)).status, 409)
  await until('the erasure is sealed', async () => (await verify()).unsealed === 0)
  const verdict = await verify()
  assert.deepEqual([verdict.valid, verdict.erased], [true, 1])

  await soc.query(`SET session_replication_role = replica;
    UPDATE audit_log SET after = '{"full_name":"Lee Roe"}' WHERE id = ${id}`)
  assert.match((await verify()).broken_at?.reason ?? '', /not what was sealed/)
  await soc.query(`SET session_replication_role = replica;
    UPDATE audit_log SET after = NULL WHERE id = ${id}`)

  await soc.query(`SET session_replication_role = replica;
    UPDATE audit_log SET detail = NULL, before = NULL, after = NULL, address = NULL, salt = NULL,
      erased_at = now() WHERE seq = 2`)
  assert.match((await verify()).broken_at?.reason ?? '', /no entry says so/)
})

test('signed heads that were tampered with are told, and a torn line is not', async (t) => {
  const { soc, as } = await signedLog(t)
  const file = path.join(soc.dataDir, 'anchors/heads.ndjson')
  const { dataDir, connection } = soc
  await soc.stop()
  appendFileSync(file, '{"format":"soc-head-1","chain":"aud')
  const again = await startTestSoc(t, { connection, dataDir })
  const valid = async (on: typeof soc) =>
    (await on.call('GET', '/audit/verify', { as: await on.signIn() })).body
  assert.equal((await valid(again)).valid, true, as)
  await again.stop()
  writeFileSync(file, readFileSync(file, 'utf8').replace('"size":', '"size":1'))
  const last = await startTestSoc(t, { connection, dataDir })
  const verdict = await valid(last)
  assert.equal(verdict.valid, false)
  assert.match(verdict.broken_at.reason, /line 1 of heads.ndjson .* not what this service signed/)
})

test('no export and no report calls evidence verified where the signed heads cannot be relied on', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const { id } = (await soc.call('POST', '/cases', { as, body: { title: 'Ledger' } })).body
  const body = { name: 'disk.img', evidence_type: 'disk_image', sha256: 'ab'.repeat(32) }
  await soc.call('POST', `/cases/${id}/evidence`, { as, body })
  const evidence = (what: string, on = soc) =>
    on.call('GET', `/cases/${id}/evidence/${what}`, { as })
  await until('it is signed', async () => (await evidence('verify')).body.chains[0].signed !== null)
  const { dataDir, connection } = soc
  await soc.stop()
  const file = path.join(dataDir, 'anchors/heads.ndjson')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"size":', '"size":1'))

  const again = await startTestSoc(t, { connection, dataDir })
  const { body: verified } = await evidence('verify', again)
  const { body: exported } = await evidence('export', again)
  assert.deepEqual([verified.valid, exported.verdict.valid], [false, false])
  assert.deepEqual(exported.verdict.first_bad, verified.first_bad)
  assert.match(verified.first_bad.reason, /not what this service signed/)
  const report = { report_type: 'compliance', case_id: id, format: 'markdown' }
  const { body: made } = await again.call('POST', '/reports', { as, body: report })
  assert.doesNotMatch(JSON.stringify(made), /ledger verified/)
  assert.match(JSON.stringify(made), /not what this service signed/)
})
