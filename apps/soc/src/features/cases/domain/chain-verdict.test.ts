import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import type { LedgerChain, LedgerEntry } from '@manara/soc-contract/evidence'
import { verifyChains } from './chain-verdict.ts'
import { GENESIS, sealEntry, type UnsealedEntry } from './ledger.ts'

const facts = { name: 'disk', evidence_type: 'image', storage_url: null, sha256: 'a'.repeat(64) }
const evidence = {
  ...facts,
  id: 'e1',
  case_id: 'c1',
  location: 'room 2',
  registered_by: 'kim',
  created_at: '2026-01-01T00:00:00.000Z',
}
const step = (action: LedgerEntry['action'], details: object, day = 1): UnsealedEntry => ({
  evidence_id: 'e1',
  action,
  actor: 'kim',
  timestamp: `2026-01-0${day}T00:00:00.000Z`,
  details: { ...details },
})

function chain(): LedgerChain {
  const entries: LedgerEntry[] = []
  let end = { length: 0, head: GENESIS }
  for (const unsealed of [
    step('registered', { ...facts, case_id: 'c1', location: 'safe' }),
    step('transferred', { to: 'lab', location: 'room 2' }, 2),
    step('verified', {}, 3),
  ]) {
    const entry = sealEntry(end, unsealed)
    entries.push(entry)
    end = { length: entry.seq, head: entry.entry_hash }
  }
  return { case_id: 'c1', title: 't', deleted_at: null, ...end, evidence: [evidence], entries }
}

test('an untouched chain is valid', () => {
  const verdict = verifyChains([chain()])
  assert.equal(verdict.valid, true)
  assert.equal(verdict.entries, 3)
  assert.equal(verdict.first_bad, null)
})

test('custody from before the registration does not say where a piece is now', () => {
  const known = chain()
  known.entries[0] = sealEntry(
    { length: 0, head: GENESIS },
    step('registered', { ...facts, case_id: 'c1', location: null }),
  )
  known.entries[1] = sealEntry(
    { length: 1, head: entry(known, 0).entry_hash },
    step('collected', { location: 'office' }),
  )
  known.entries.length = 2
  const head = entry(known, 1).entry_hash
  const there = { ...known, length: 2, head, evidence: [{ ...evidence, location: null }] }
  assert.equal(verifyChains([there]).valid, true)
})

test('an entry hash can be recomputed from the documented recipe alone', () => {
  const [first] = chain().entries as [LedgerEntry]
  const canonical = `{"action":"registered","actor":"kim","details":{"case_id":"c1","evidence_type":"image","location":"safe","name":"disk","sha256":"${'a'.repeat(64)}","storage_url":null},"evidence_id":"e1","prev_hash":"${GENESIS}","seq":1,"timestamp":"2026-01-01T00:00:00.000Z"}`
  assert.equal(first.entry_hash, createHash('sha256').update(canonical).digest('hex'))
})

/** Seals everything from `index` on again, as a forger with the recipe would. */
function reseal(forged: LedgerChain, index: number) {
  let previous = forged.entries[index - 1]?.entry_hash ?? GENESIS
  forged.entries = forged.entries.map((entry, at) => {
    if (at < index) return entry
    const sealed = sealEntry({ length: at, head: previous }, entry as LedgerEntry)
    previous = sealed.entry_hash
    return { ...entry, ...sealed }
  })
}

const entry = (of: LedgerChain, index: number) => of.entries[index] as LedgerEntry

const TAMPERED: [what: string, tamper: (chain: LedgerChain) => void, seq: number, why: RegExp][] = [
  ['changed details', (c) => Object.assign(entry(c, 1).details, { to: 'home' }), 2, /does not fit/],
  ['another actor', (c) => Object.assign(entry(c, 2), { actor: 'eve' }), 3, /does not fit/],
  ['another time', (c) => Object.assign(entry(c, 0), { timestamp: '2025' }), 1, /does not fit/],
  ['an entry taken out', (c) => c.entries.splice(1, 1), 2, /seq is 3/],
  ['two entries swapped', (c) => c.entries.reverse(), 1, /seq is 3/],
  ['the end cut off', (c) => c.entries.pop(), 3, /missing: 3 were recorded/],
  ['all entries gone', (c) => c.entries.splice(0), 1, /missing/],
  [
    'an entry added without the case',
    (c) => c.entries.push(sealEntry({ length: 3, head: c.head }, step('released', {}))),
    4,
    /not recorded/,
  ],
  [
    'a chain sealed again from the change on',
    (c) => {
      Object.assign(entry(c, 1).details, { to: 'home' })
      reseal(c, 1)
    },
    3,
    /recorded head/,
  ],
  ['a hash swapped', (c) => Object.assign(entry(c, 1), { entry_hash: GENESIS }), 2, /does not fit/],
  ['a broken link', (c) => Object.assign(entry(c, 1), { prev_hash: GENESIS }), 2, /prev_hash/],
  [
    'the digest of the evidence itself',
    (c) => Object.assign(c, { evidence: [{ ...evidence, sha256: 'b'.repeat(64) }] }),
    1,
    /sha256 of evidence e1/,
  ],
  [
    'who registered it',
    (c) => Object.assign(c, { evidence: [{ ...evidence, registered_by: 'eve' }] }),
    1,
    /registered_by of evidence e1/,
  ],
  [
    'where it is said to be',
    (c) => Object.assign(c, { evidence: [{ ...evidence, location: 'safe' }] }),
    2,
    /location of evidence e1/,
  ],
  [
    'a digest, under a name that says that it was erased',
    (c) => {
      Object.assign(entry(c, 0), { erased_at: '2026-01-04T00:00:00.000Z' })
      Object.assign(c, { evidence: [{ ...evidence, name: '[erased]', sha256: 'b'.repeat(64) }] })
    },
    1,
    /cannot be erased/,
  ],
  ['evidence removed', (c) => Object.assign(c, { evidence: [] }), 1, /e1 is missing/],
  ['a chain moved to another case', (c) => Object.assign(c, { case_id: 'c2' }), 1, /case_id/],
  ['evidence slipped in', (c) => c.evidence.push({ ...evidence, id: 'e2' }), 3, /e2 was never/],
]
for (const [what, tamper, seq, why] of TAMPERED) {
  test(`tampering is named: ${what}`, () => {
    const forged = chain()
    tamper(forged)
    const { valid, first_bad } = verifyChains([forged])
    assert.equal(valid, false)
    assert.equal(first_bad?.seq, seq)
    assert.match(first_bad?.reason ?? '', why)
  })
}

test('of several chains the bad one is named', () => {
  const bad = { ...chain(), head: GENESIS }
  const verdict = verifyChains([chain(), { ...bad, case_id: 'c1' }])
  assert.deepEqual(
    verdict.chains.map(({ valid }) => valid),
    [true, false],
  )
  assert.equal(verdict.valid, false)
})
