import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EvidenceCreate } from '@manara/soc-contract/evidence'
import { custodyDetails, openingSteps } from './registration.ts'

const body = { name: 'disk.img', evidence_type: 'disk_image', sha256: 'AB'.repeat(32) }
const steps = (more: object) => openingSteps('case-1', EvidenceCreate.parse({ ...body, ...more }))
const facts = {
  name: 'disk.img',
  evidence_type: 'disk_image',
  storage_url: null,
  sha256: 'ab'.repeat(32),
  case_id: 'case-1',
  location: null,
}

test('a piece begins with its registration, which states what it is', () =>
  assert.deepEqual(steps({}), [{ action: 'registered', details: facts }]))

test('earlier custody follows, as it was stated', () =>
  assert.deepEqual(steps({ custody_entries: [{ action: 'collected', actor: 'Lee' }] }), [
    { action: 'registered', details: facts },
    { action: 'collected', details: { actor: 'Lee' } },
  ]))

test('a caller who lists the registration does not register twice', () =>
  assert.deepEqual(
    steps({
      location: 'safe 2',
      custody_entries: [{ action: 'registered', notes: 'sealed' }, { action: 'verified' }],
    }),
    [
      { action: 'registered', details: { ...facts, notes: 'sealed', location: 'safe 2' } },
      { action: 'verified', details: {} },
    ],
  ))

test('nothing empty enters the ledger', () =>
  assert.deepEqual(custodyDetails({ action: 'copied', location: null, to: undefined }), {}))

const REFUSED: [field: string, value: unknown][] = [
  ['sha256', 'ab'],
  ['sha256', 'g'.repeat(64)],
  ['storage_url', 'not a url'],
  ['storage_url', 'javascript://%0aalert(1)'],
  ['storage_url', 's3://key:secret@bucket/disk.img'],
  ['custody_entries', [{ action: 'collected' }, { action: 'registered' }]],
  ['custody_entries', [{ action: 'lost' }]],
]
for (const [field, value] of REFUSED) {
  test(`${field} ${JSON.stringify(value)} is refused`, () => {
    const { error } = EvidenceCreate.safeParse({ ...body, [field]: value })
    assert.equal(error?.issues[0]?.path[0], field)
  })
}

for (const storage_url of ['s3://bucket/key', 'https://vault.example.org/x', 'file:///srv/x']) {
  test(`storage_url ${storage_url} is accepted`, () =>
    assert.ok(EvidenceCreate.safeParse({ ...body, storage_url }).success))
}
