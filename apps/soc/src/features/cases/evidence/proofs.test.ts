import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { LedgerEntry } from '@manara/soc-contract/evidence'
import pg from 'pg'
import { rootFromPath } from '../../../core/proofs/merkle.ts'
import { isGenuine } from '../../../core/proofs/signed.ts'
import { readPublicKeys } from '../../../core/proofs/signer.ts'
import { startTestSoc } from '../../../testing/test-soc.ts'
import { until } from '../../../testing/until.ts'
import { sealEntry } from '../domain/ledger.ts'

const SCRIPT = path.resolve(import.meta.dirname, '../../../../../../scripts/ledger-verify.ts')
const disk = {
  name: 'disk.img',
  evidence_type: 'disk_image',
  storage_url: 's3://evidence/disk.img',
  sha256: 'AB'.repeat(32),
  location: 'safe 2',
}

test('evidence against the owner of the database', async (t) => {
  const soc = await startTestSoc(t)
  const admin = await soc.signIn()
  const as = await soc.signInAs('manager', 'kim')
  const call = (method: string, url: string, body?: unknown, by = as) =>
    soc.call(method, url, { as: by, body })
  const verify = async (id: string) => (await call('GET', `/cases/${id}/evidence/verify`)).body
  const keyFile = path.join(soc.dataDir, 'anchors', 'public-keys.pem')
  const headsFile = path.join(soc.dataDir, 'anchors', 'heads.ndjson')

  /** Three entries, all of them signed. */
  async function signedCase(): Promise<string> {
    const { id } = (await call('POST', '/cases', { title: 'Ledger' })).body
    const evidence = (await call('POST', `/cases/${id}/evidence`, disk)).body
    for (const action of ['accessed', 'copied']) {
      await call('POST', `/cases/${id}/evidence/${evidence.id}/custody`, { action, notes: action })
    }
    await until('it is signed', async () => (await verify(id)).chains[0].signed?.size === 3)
    return id
  }

  /** Past every trigger, as only an owner can. */
  const tamper = (statements: string) =>
    soc.query(`SET session_replication_role = replica; ${statements}`)

  /** The chain as the owner would like it, with every hash recomputed and the end recorded. */
  async function rewrite(id: string, forge: (entries: LedgerEntry[]) => LedgerEntry[]) {
    const { chains } = (await call('GET', `/cases/${id}/evidence/export`)).body
    let end = { length: 0, head: '0'.repeat(64) }
    const forged = forge(chains[0].entries).map((entry) => {
      const link = sealEntry(end, entry)
      end = { length: link.seq, head: link.entry_hash }
      return link
    })
    const rows = forged.map(
      (e) => `('${id}', ${e.seq}, '${e.evidence_id}', '${e.action}', '${e.actor}', '${e.timestamp}',
        '${JSON.stringify(e.details)}', '${e.prev_hash}', '${e.entry_hash}', '${e.salt}', '${e.details_hash}')`,
    )
    await tamper(`
      DELETE FROM evidence_ledger WHERE case_id = '${id}';
      INSERT INTO evidence_ledger (case_id, seq, evidence_id, action, actor, timestamp, details,
        prev_hash, entry_hash, salt, details_hash) VALUES ${rows.join(', ')};
      UPDATE cases SET ledger_length = ${end.length}, ledger_head = '${end.head}' WHERE id = '${id}'`)
  }

  for (const [what, forge, reason] of [
    ['cut off its end', (entries: LedgerEntry[]) => entries.slice(0, 2), /missing: 3 were signed/],
    [
      'rewrote an entry and every hash',
      (entries: LedgerEntry[]) => entries.map((e, at) => (at === 1 ? { ...e, actor: 'eve' } : e)),
      /rewritten/,
    ],
    [
      'took one out and closed the gap',
      (entries: LedgerEntry[]) => entries.filter((_, at) => at !== 1),
      /missing: 3 were signed/,
    ],
    [
      'took one out and added another',
      ([first, , third]: LedgerEntry[]) => [first, third, third] as LedgerEntry[],
      /rewritten/,
    ],
  ] as const) {
    await t.test(`GET .../evidence/verify finds that the owner ${what}`, async () => {
      const id = await signedCase()
      await rewrite(id, forge)
      const { valid, first_bad } = await verify(id)
      assert.equal(valid, false)
      assert.match(first_bad.reason, reason)
      // Nor is the forged chain vouched for once it grows again.
      const { items } = (await call('GET', `/cases/${id}/evidence`)).body
      await call('POST', `/cases/${id}/evidence/${items[0].id}/custody`, { action: 'released' })
      await call('POST', `/cases/${id}/evidence/${items[0].id}/custody`, { action: 'released' })
      const other = await signedCase()
      assert.equal((await verify(other)).valid, true)
      assert.equal((await verify(id)).valid, false)
    })
  }

  await t.test('an entry with an action that there is none of is shown, and told', async () => {
    const id = await signedCase()
    const forge = (entries: LedgerEntry[]) =>
      entries.map((e, at) => (at === 1 ? { ...e, action: 'stolen' as 'accessed' } : e))
    await rewrite(id, forge)
    const { status, body } = await call('GET', `/cases/${id}/evidence`)
    assert.equal(status, 200)
    assert.deepEqual(
      body.items[0].custody_entries.map(({ problem }: { problem?: string }) => problem),
      [undefined, 'stolen is no action of the ledger', undefined],
    )
    assert.equal((await call('GET', `/cases/${id}`)).status, 200)
    const { verdict } = (await call('GET', `/cases/${id}/evidence/export`)).body
    assert.equal(verdict.first_bad.seq, 2)
    assert.match(verdict.first_bad.reason, /no action of the ledger/)
  })

  await t.test('GET .../evidence/verify misses a case whose every row is gone', async () => {
    const id = await signedCase()
    await tamper(`
      DELETE FROM evidence_ledger WHERE case_id = '${id}';
      DELETE FROM evidence WHERE case_id = '${id}';
      DELETE FROM case_timeline WHERE case_id = '${id}';
      DELETE FROM cases WHERE id = '${id}'`)
    const { valid, first_bad } = await verify(id)
    assert.equal(valid, false)
    assert.match(first_bad.reason, /gone from the database: 3 entries were signed/)
  })

  await t.test('the role of the service can neither change nor remove an entry', async () => {
    const client = new pg.Client(soc.connection)
    await client.connect()
    try {
      const { rows } = await client.query(
        'SELECT rolsuper, rolcreaterole FROM pg_roles WHERE rolname = current_user',
      )
      assert.deepEqual(rows, [{ rolsuper: false, rolcreaterole: false }])
      for (const table of ['evidence_ledger', 'audit_log', 'playbook_revisions']) {
        for (const statement of [
          `UPDATE ${table} SET ${table === 'audit_log' ? 'actor' : 'revision'} = NULL`.replace(
            'evidence_ledger SET revision',
            'evidence_ledger SET actor',
          ),
          `DELETE FROM ${table}`,
          `TRUNCATE ${table}`,
          `ALTER TABLE ${table} DISABLE TRIGGER ALL`,
        ]) {
          await assert.rejects(
            client.query(statement),
            /permission denied|must be owner/,
            statement,
          )
        }
      }
      await assert.rejects(
        client.query('SET session_replication_role = replica'),
        /permission denied/,
      )
      await assert.rejects(client.query(`UPDATE evidence SET sha256 = 'x'`), /permission denied/)
    } finally {
      await client.end()
    }
  })

  await t.test(
    'an export verifies offline with the public key, and says what that proves',
    async () => {
      const id = await signedCase()
      const { status, headers, body } = await call('GET', `/cases/${id}/evidence/export`)
      assert.equal(status, 200)
      assert.match(String(headers['content-disposition']), new RegExp(`evidence-${id}[.]json`))
      assert.equal(body.exported_by, 'kim')
      const file = path.join(soc.dataDir, 'export.json')
      const check = (content: unknown, ...args: string[]) => {
        writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
        // Not synchronously: the service, in the same process, would stand still for seconds.
        return new Promise<{ status: number; stdout: string; stderr: string }>((resolve) =>
          execFile(process.execPath, [SCRIPT, file, ...args], (error, stdout, stderr) =>
            resolve({ status: error ? Number(error.code) : 0, stdout, stderr }),
          ),
        )
      }
      const good = await check(body, '--key', keyFile)
      assert.equal(good.status, 0, good.stdout + good.stderr)
      assert.match(good.stdout, /3 entries, valid, signed up to entry 3/)
      assert.match(good.stdout, /not proved: that nothing was rewritten before the export/)
      const better = await check(body, '--key', keyFile, '--heads', headsFile)
      assert.match(better.stdout, /proved: the chains contain what the heads you gave/)

      const without = await check(body)
      assert.equal(without.status, 1)
      assert.match(without.stderr, /--key/)
      const stranger = path.join(soc.dataDir, 'other.pem')
      spawnSync('sh', [
        '-c',
        `openssl genpkey -algorithm ed25519 | openssl pkey -pubout > ${stranger}`,
      ])
      for (const [what, content, key] of [
        ['no chains', { ...body, chains: [] }, keyFile],
        ['no chains and none listed', { ...body, chains: [], chain_ids: [] }, keyFile],
        ['another case', { ...body, case_id: 'another' }, keyFile],
        ['no signature', { ...body, signature: '' }, keyFile],
        ['an entry less', { ...body, chains: [{ ...body.chains[0], entries: [] }] }, keyFile],
        ['another key', body, stranger],
        ['an old export', { ...body, format: 'manara-evidence-ledger/1' }, keyFile],
        ['no export', '{"chains":[]}', keyFile],
        ['no JSON', 'not json', keyFile],
      ] as const) {
        const refused = await check(content, '--key', key)
        assert.equal(refused.status, 1, what)
        assert.match(refused.stdout, /nothing is proved/, what)
      }
    },
  )

  await t.test('GET .../ledger/{seq}/proof proves one entry without the others', async () => {
    const id = await signedCase()
    const { body } = await call('GET', `/cases/${id}/evidence/ledger/2/proof`)
    const { entry_hash, index, path: siblings, head } = body
    assert.equal(rootFromPath(entry_hash, index, head.size, siblings), head.root)
    assert.ok(isGenuine(head, readPublicKeys(readFileSync(keyFile, 'utf8'))))
    const { keys } = (await call('GET', '/audit/keys', undefined, admin)).body
    assert.equal(keys[0].key_id, head.key_id)
    for (const unknown of ['4', '0', 'x']) {
      const reply = await call('GET', `/cases/${id}/evidence/ledger/${unknown}/proof`)
      assert.equal(reply.status, 404, unknown)
    }
  })

  await t.test('personal data is erased and the chain still holds', async () => {
    const id = await signedCase()
    const erase = (seq: number, by = admin) =>
      call('POST', `/cases/${id}/evidence/ledger/${seq}/erase`, { reason: 'asked to' }, by)
    assert.equal((await erase(2, as)).status, 403)
    await until('the audit log has sealed it', async () => (await erase(2)).status === 201)
    const { valid, entries } = await verify(id)
    assert.deepEqual([valid, entries], [true, 4])
    const { chains } = (await call('GET', `/cases/${id}/evidence/export`)).body
    const [, erased, , why] = chains[0].entries as LedgerEntry[]
    assert.deepEqual([erased?.details, erased?.salt], [{}, null])
    assert.deepEqual([why?.action, why?.details], ['erased', { seq: 2, reason: 'asked to' }])
    const audit = (await call('GET', `/audit?target=case:${id}`, undefined, admin)).body
    assert.ok(!JSON.stringify(audit).includes('"notes":"accessed"'))
    assert.equal((await erase(2)).status, 409)
    assert.equal((await erase(99)).status, 404)
    await until('the audit log is whole', async () => {
      const verdict = (await call('GET', '/audit/verify', undefined, admin)).body
      assert.equal(verdict.valid, true, JSON.stringify(verdict))
      return verdict.unsealed === 0 && verdict.erased === 1
    })

    const own = `case_id = '${id}'`
    for (const [forge, undo, reason] of [
      [
        `UPDATE evidence_ledger SET details = '{"notes": "by eve"}' WHERE ${own} AND seq = 2`,
        `UPDATE evidence_ledger SET details = '{}' WHERE ${own} AND seq = 2`,
        /erased, and it has others/,
      ],
      [
        `UPDATE evidence SET location = 'with eve' WHERE ${own}`,
        `UPDATE evidence SET location = NULL WHERE ${own}`,
        /location of evidence .* is not what was last recorded/,
      ],
    ] as const) {
      await tamper(forge)
      assert.match((await verify(id)).first_bad.reason, reason)
      await tamper(undo)
      assert.equal((await verify(id)).valid, true)
    }
    assert.equal((await erase(1)).status, 201)
    assert.equal((await verify(id)).valid, true)
    await tamper(`UPDATE evidence SET name = 'another disk' WHERE ${own}`)
    assert.match((await verify(id)).first_bad.reason, /name of evidence .* is not what/)
    await tamper(`UPDATE evidence SET name = '[erased]' WHERE ${own}`)

    await tamper(`UPDATE evidence_ledger SET details = '{}', salt = NULL, erased_at = now()
      WHERE case_id = '${id}' AND seq = 3`)
    assert.match((await verify(id)).first_bad.reason, /erased, and no entry says so/)
  })

  await t.test('an entry is recomputed from the documented recipe alone', async () => {
    const id = await signedCase()
    const { chains } = (await call('GET', `/cases/${id}/evidence/export`)).body
    const sha256 = (value: unknown) =>
      createHash('sha256').update(canonicalJson(value)).digest('hex')
    assert.equal(chains[0].entries.length, 3)
    for (const entry of chains[0].entries as LedgerEntry[]) {
      const { entry_hash, details, salt, erased_at: _, ...sealed } = entry
      assert.equal(sha256([salt, details]), entry.details_hash)
      assert.equal(sha256(sealed), entry_hash)
    }
  })
})
