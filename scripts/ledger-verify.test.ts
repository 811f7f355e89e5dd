import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LEDGER_FORMAT, type LedgerEntry } from '@manara/soc-contract/evidence'
import { signRecord } from '../apps/soc/src/core/proofs/signed.ts'
import { pemOf, signerFromSeed } from '../apps/soc/src/core/proofs/signer.ts'
import { GENESIS, sealEntry } from '../apps/soc/src/features/cases/domain/ledger.ts'
import { checkExport } from './ledger/check-export.ts'

const signer = signerFromSeed(Buffer.alloc(32, 7))
const pem = pemOf(signer.publicKey)
const AT = '2026-01-01T00:00:00.000Z'
const facts = { name: 'disk', evidence_type: 'image', storage_url: null, sha256: 'a'.repeat(64) }

/** Three entries; what the second one says is up to who holds the key. */
function chainSaying(to: string) {
  const said: [LedgerEntry['action'], object][] = [
    ['registered', { ...facts, case_id: 'c1', location: 'safe' }],
    ['transferred', { to }],
    ['verified', {}],
  ]
  const entries: LedgerEntry[] = []
  let end = { length: 0, head: GENESIS }
  for (const [action, details] of said) {
    const about = {
      evidence_id: 'e1',
      action,
      actor: 'kim',
      timestamp: AT,
      details: { ...details },
    }
    const entry = sealEntry(end, about)
    entries.push(entry)
    end = { length: entry.seq, head: entry.entry_hash }
  }
  const evidence = [
    { ...facts, id: 'e1', case_id: 'c1', location: 'safe', registered_by: 'kim', created_at: AT },
  ]
  return { case_id: 'c1', title: 't', deleted_at: null, ...end, evidence, entries }
}
type Chain = ReturnType<typeof chainSaying>

const headOf = ({ entries }: Chain, size: number, chain = 'evidence/c1') => {
  const head = entries[size - 1]?.entry_hash ?? ''
  return signRecord(signer, {
    format: 'soc-head-1' as const,
    chain,
    size,
    head,
    root: head,
    at: AT,
  })
}

const exportOf = async (chain: Chain) =>
  JSON.stringify(
    await signRecord(signer, {
      ...{ format: LEDGER_FORMAT, case_id: 'c1', exported_at: AT, exported_by: 'kim' },
      ...{ chain_ids: ['c1'], verdict: { valid: true, first_bad: null } },
      ...{ heads: [await headOf(chain, 3)], chains: [chain] },
    }),
  )

const lines = (...heads: object[]) => heads.map((head) => JSON.stringify(head)).join('\n')

test('heads kept elsewhere show what the holder of the key has rewritten and signed anew', async () => {
  const [told, forged] = [chainSaying('lab'), chainSaying('home')]
  const file = await exportOf(forged)
  assert.equal(checkExport(file, pem).valid, true, 'by itself it vouches for itself')
  for (const size of [2, 3]) {
    const checked = checkExport(file, pem, lines(await headOf(told, size)))
    assert.equal(checked.valid, false, `a head of ${size}`)
    assert.match(checked.lines[0] ?? '', new RegExp(`BAD at entry ${size}: not what was signed`))
  }
  const own = checkExport(file, pem, lines(await headOf(forged, 1), await headOf(forged, 3)))
  assert.equal(own.valid, true)
  assert.match(own.lines.join('\n'), /proved: the chains contain what the heads you gave/)
})

test('heads of other chains, or of nobody, prove nothing', async () => {
  const chain = chainSaying('lab')
  const file = await exportOf(chain)
  const unsigned = { ...(await headOf(chain, 3)), signature: 'none' }
  for (const head of [await headOf(chain, 3, 'evidence/c2'), unsigned, {}]) {
    const checked = checkExport(file, pem, lines(head))
    assert.match(checked.lines.join('\n'), /not proved: .*none of the heads you gave/)
  }
})

test('a field that somebody has added anywhere is no part of what was signed', async () => {
  const file = await exportOf(chainSaying('lab'))
  const added: ((file: { chains: Chain[] }) => object | undefined)[] = [
    (of) => of,
    ({ chains }) => chains[0],
    ({ chains }) => chains[0]?.evidence[0],
    ({ chains }) => chains[0]?.entries[1],
  ]
  for (const place of added) {
    const content = JSON.parse(file)
    Object.assign(place(content) ?? {}, { note: 'withdrawn' })
    const { valid, lines: said } = checkExport(JSON.stringify(content), pem)
    assert.equal(valid, false)
    assert.match(said[0] ?? '', /the signature does not fit/)
  }
})
