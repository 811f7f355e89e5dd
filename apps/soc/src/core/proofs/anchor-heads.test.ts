import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import type { SignedHead } from '@manara/soc-contract/proofs'
import type { KyselyPlugin } from 'kysely'
import { createDatabase } from '../../db/database.ts'
import type { Anchor } from '../../ports/anchor.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'
import { createAnchorHeads, evidenceChain } from './anchor-heads.ts'
import { signerFromSeed } from './signer.ts'
import { openUnsent } from './unsent-heads.ts'
import { createWitness, type Witness } from './witness.ts'

/** A process beside the service, on the same database: what it has signed, and read to do so. */
async function startProcess(t: TestContext, connection: object) {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-anchors-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const database = createDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  await database.start()
  let read: unknown[] = []
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      read.push(...result.rows.filter((row) => 'ledger_head' in row))
      return result
    },
  }
  const signer = signerFromSeed(new Uint8Array(32).fill(7))
  const intervalMs = 60_000
  let at = intervalMs
  const now = () => new Date(at)
  const later = () => {
    at += intervalMs
  }

  function begin(
    change: (witness: Witness) => Witness = (witness) => witness,
    { log = silentLog, anchors = [] as Anchor[] } = {},
  ) {
    const witness = change(createWitness({ directory, signer, now }))
    const db = database.kysely.withPlugin(counting)
    const unsent = openUnsent(directory, anchors)
    const deps = { db, witness, unsent, log, intervalMs, now }
    const pass = createAnchorHeads(deps)
    return {
      /** How many ledgers it has read. */
      async pass() {
        read = []
        await pass()
        return read.length
      },
      signed: (caseId: string) => witness.latest(evidenceChain(caseId))?.size ?? 0,
      latest: witness.latest,
    }
  }

  return { begin, later }
}

/** In the end a look reads none; while another transaction of the server is open it looks again. */
const settled = ({ pass }: { pass(): Promise<number> }) =>
  until('none is read again', async () => (await pass()) === 0)

test('ledgers that grew since the last look are read and signed, and no others', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const post = async (url: string, body: object): Promise<string> => {
    const reply = await soc.call('POST', url, { as, body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.id
  }
  const disk = { name: 'disk', evidence_type: 'image', sha256: 'ab'.repeat(32) }
  const grow = (id: string) => post(`/cases/${id}/evidence`, disk)
  const withLedger = async () => {
    const id = await post('/cases', { title: 'Ledger' })
    await grow(id)
    return id
  }
  const cases = [await withLedger(), await withLedger(), await withLedger()]
  const [first, second] = cases as [string, string, string]
  const { begin, later } = await startProcess(t, soc.connection)
  const process = begin()

  await t.test('all of them once, after the start', async () => {
    assert.equal(await process.pass(), 3)
    assert.deepEqual(cases.map(process.signed), [1, 1, 1])
    await settled(process)
  })

  await t.test('then those that grew, whatever else changes', async () => {
    await grow(second)
    const body = { title: 'Another title' }
    await soc.call('PATCH', `/cases/${first}`, { as, body })
    assert.equal(await process.pass(), 1)
    assert.deepEqual(cases.map(process.signed), [1, 2, 1])
    await settled(process)
  })

  await t.test('also one of a slow transaction that a faster one overtook', async () => {
    const hash = 'cd'.repeat(32)
    const append = `
      INSERT INTO evidence_ledger (case_id, seq, evidence_id, action, actor, timestamp, details,
          prev_hash, entry_hash)
        SELECT case_id, 2, evidence_id, 'accessed', 'kim', timestamp, '{}', entry_hash, '${hash}'
        FROM evidence_ledger WHERE case_id = '${first}' AND seq = 1;
      UPDATE cases SET ledger_length = 2, ledger_head = '${hash}' WHERE id = '${first}'`
    await soc.holding(append, async () => {
      await grow(second)
      await process.pass()
      assert.deepEqual(cases.map(process.signed), [1, 3, 1])
      await process.pass()
    })
    await process.pass()
    assert.deepEqual(cases.map(process.signed), [2, 3, 1])
    await settled(process)
  })

  await t.test('what grew before a kill is signed after the next start', async () => {
    await grow(first)
    const next = begin()
    assert.equal(await next.pass(), 3)
    assert.deepEqual(cases.map(next.signed), [3, 3, 1])
    await settled(next)
  })

  await t.test('what could not be signed is tried again', async () => {
    let isAway = false
    const failing = begin((witness) => ({
      ...witness,
      attest: async (...asked) => {
        if (isAway) throw new Error('the signer is away')
        return witness.attest(...asked)
      },
    }))
    await failing.pass()
    isAway = true
    await grow(first)
    await grow(second)
    await assert.rejects(failing.pass(), /away/)
    isAway = false
    await failing.pass()
    assert.deepEqual(cases.map(failing.signed), [4, 4, 1])
    await settled(failing)
  })

  await t.test('a chain that is not what was signed before is told of once', async () => {
    const told: string[] = []
    const log = Object.assign(Object.create(silentLog), {
      error: ({ chain }: { chain: string }) => void told.push(chain),
    })
    const rewritten = begin(
      (witness) => {
        const latest = (chain: string) => {
          const signed = witness.latest(chain)
          return signed && { ...signed, head: '0'.repeat(64) }
        }
        return { ...witness, latest }
      },
      { log },
    )
    await grow(first)
    await until('both are told', async () => {
      await rewritten.pass()
      return told.includes('audit') && told.includes(evidenceChain(first))
    })
    await grow(first)
    await rewritten.pass()
    await rewritten.pass()
    assert.deepEqual(
      told.filter((chain) => chain === 'audit'),
      ['audit'],
    )
    assert.equal(told.filter((chain) => chain === evidenceChain(first)).length, 1)
    // The next one begins with what was signed before this.
    await settled(begin())
  })

  await t.test(
    'a head of the audit log that could not be kept for good is kept the next time',
    async () => {
      const asked: boolean[] = []
      const failing = begin((witness) => ({
        ...witness,
        async attest(head, options) {
          if (head.chain === 'audit' && asked.push(options.lasting) === 1) throw new Error('full')
          return witness.attest(head, options)
        },
      }))
      await grow(first)
      await until('it was tried twice', async () => {
        await failing.pass().catch((error) => assert.equal(error.message, 'full'))
        return asked.length > 1
      })
      assert.deepEqual(asked.slice(0, 2), [true, true])
    },
  )

  await t.test('one that is not what was signed is looked at until it is again', async () => {
    const before = begin()
    await settled(before)
    const set = (hash: string) =>
      soc.query(`SET session_replication_role = replica;
        UPDATE evidence_ledger SET entry_hash = '${hash}' WHERE case_id = '${second}' AND seq = 4`)
    const [row] = await soc.query(
      'SELECT entry_hash FROM evidence_ledger WHERE case_id = $1 AND seq = 4',
      [second],
    )
    await set('ef'.repeat(32))
    await grow(second)
    assert.equal(await before.pass(), 1)
    assert.equal(await before.pass(), 1)
    assert.equal(before.signed(second), 4)
    await set((row as { entry_hash: string }).entry_hash)
    await before.pass()
    assert.equal(before.signed(second), 5)
    await settled(before)
  })

  const sent: SignedHead[] = []
  let isTaken = true
  const anchor: Anchor = {
    name: 'elsewhere',
    async publish(head) {
      if (!isTaken) throw new Error('it is away')
      sent.push(head)
      return undefined
    },
  }
  const sentOf = (chain: string) => sent.findLast((head) => head.chain === chain)?.size

  await t.test('the last of the audit log is sent although nothing comes behind it', async () => {
    const kept = begin(undefined, { anchors: [anchor] })
    await kept.pass()
    const before = sentOf('audit') ?? assert.fail('none was sent')
    await grow(first)
    await until('it is signed, and not sent yet', async () => {
      await kept.pass()
      return (kept.latest('audit')?.size ?? 0) > before
    })
    assert.equal(sentOf('audit'), before)
    await until('it stands still', async () => {
      await kept.pass()
      const [{ seq }] = (await soc.query('SELECT seq FROM audit_head')) as [{ seq: string }]
      return kept.latest('audit')?.size === Number(seq)
    })
    later()
    await kept.pass()
    assert.equal(sentOf('audit'), kept.latest('audit')?.size)
    const amount = sent.length
    later()
    await kept.pass()
    assert.equal(sent.length, amount, 'once')
  })

  await t.test('what was not taken is sent by the next start', async () => {
    const failing = begin(undefined, { anchors: [anchor] })
    await settled(failing)
    isTaken = false
    await grow(first)
    await failing.pass()
    const size = failing.signed(first)
    assert.notEqual(sentOf(evidenceChain(first)), size)
    isTaken = true
    const next = begin(undefined, { anchors: [anchor] })
    await next.pass()
    assert.equal(sentOf(evidenceChain(first)), size)
    const amount = sent.length
    await next.pass()
    assert.equal(sent.length, amount, 'once')
  })
})
