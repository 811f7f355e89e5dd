import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AttestationClaims } from '@manara/soc-contract/cps'
import { appraise, type Grounds } from './appraise.ts'
import { answerWithinMs, nextAttestation } from './schedule.ts'
import { trustAfter } from './trust.ts'

const NOW = Date.parse('2026-11-15T12:00:00Z')
const FIRMWARE = { name: 'controller', version: '4.2.0', sha256: 'a'.repeat(64) }
const MEASUREMENTS = [
  { name: 'loader', sha256: 'b'.repeat(64) },
  { name: 'kernel', sha256: 'c'.repeat(64) },
]
const CLAIMS: AttestationClaims = {
  device_id: 'd',
  nonce: 'n',
  issued_at: new Date(NOW).toISOString(),
  firmware: FIRMWARE,
  measurements: MEASUREMENTS,
  boot_count: 5,
  boot_seed: 'seed',
  uptime_s: 60,
  debug: false,
}
const KNOWN = {
  version: '4.2.0',
  status: 'allowed',
  is_outdated: false,
  latest_version: '4.2.0',
} as const
const FINE: Grounds = {
  claims: CLAIMS,
  firmware: KNOWN,
  reference: { firmware: FIRMWARE, measurements: MEASUREMENTS },
  earlier: null,
  boot: { count: 5, seed: 'seed' },
  receivedAt: NOW,
}
const claims = (change: Partial<AttestationClaims>) => ({ claims: { ...CLAIMS, ...change } })
const otherHash = { ...FIRMWARE, sha256: 'e'.repeat(64) }

const TABLE: [string, Partial<Grounds>, string, RegExp][] = [
  ['everything as before', {}, 'affirming', /known/],
  ['the first answer', { reference: null, boot: null }, 'affirming', /known/],
  ['a new start', claims({ boot_count: 6, boot_seed: 'other' }), 'affirming', /known/],
  ['an unknown firmware', { firmware: null }, 'warning', /not a known one/],
  [
    'outdated',
    { firmware: { ...KNOWN, is_outdated: true, latest_version: '5.0' } },
    'warning',
    /newest is 5\.0/,
  ],
  ['deprecated', { firmware: { ...KNOWN, status: 'deprecated' } }, 'warning', /deprecated/],
  ['a debugger', claims({ debug: true }), 'warning', /debugger/],
  ['a clock that is off', claims({ issued_at: '2020-01-01T00:00:00.000Z' }), 'warning', /clock/],
  [
    'a version spelled otherwise',
    { firmware: { ...KNOWN, version: 'V4.2.0' } },
    'affirming',
    /known/,
  ],
  ['blocked', { firmware: { ...KNOWN, status: 'blocked' } }, 'contraindicated', /blocked/],
  [
    'a hash of another version',
    { firmware: { ...KNOWN, version: '3.0' } },
    'contraindicated',
    /hash is that of 3\.0/,
  ],
  [
    'another firmware of the same version',
    { ...claims({ firmware: otherHash }), firmware: null },
    'contraindicated',
    /still calls itself 4\.2\.0/,
  ],
  [
    'a changed kernel',
    claims({
      measurements: [MEASUREMENTS[0] as never, { name: 'kernel', sha256: 'f'.repeat(64) }],
    }),
    'contraindicated',
    /^kernel changed/,
  ],
  [
    'something more at boot',
    claims({ measurements: [...MEASUREMENTS, { name: 'implant', sha256: 'f'.repeat(64) }] }),
    'contraindicated',
    /^implant changed/,
  ],
  [
    'another order at boot',
    claims({ measurements: MEASUREMENTS.toReversed() }),
    'contraindicated',
    /order of the boot/,
  ],
  [
    'a firmware that is back with another kernel',
    {
      reference: { firmware: { ...otherHash, version: '5.0' }, measurements: MEASUREMENTS },
      earlier: [MEASUREMENTS[0] as never, { name: 'kernel', sha256: 'f'.repeat(64) }],
    },
    'contraindicated',
    /^kernel changed since it last ran firmware 4\.2\.0$/,
  ],
  [
    'a firmware that is back as it was',
    {
      reference: { firmware: { ...otherHash, version: '5.0' }, measurements: [] },
      earlier: MEASUREMENTS,
    },
    'affirming',
    /known/,
  ],
  [
    'the same start with another seed',
    claims({ boot_seed: 'other' }),
    'contraindicated',
    /two devices/,
  ],
  [
    'fewer starts than before',
    claims({ boot_count: 4 }),
    'contraindicated',
    /went back from 5 to 4/,
  ],
]

for (const [what, change, verdict, reason] of TABLE) {
  test(`${what} is ${verdict}`, () => {
    const found = appraise({ ...FINE, ...change })
    assert.equal(found.verdict, verdict)
    assert.match(found.reason, reason)
  })
}

test('an update that changes version, hash and boot together is fine', () => {
  const firmware = { name: 'controller', version: '5.0', sha256: '1'.repeat(64) }
  const found = appraise({
    ...FINE,
    ...claims({ firmware, measurements: [] }),
    firmware: { ...KNOWN, version: '5.0' },
  })
  assert.equal(found.verdict, 'affirming')
})

test('answers set the trust, silence only lowers it', () => {
  assert.equal(trustAfter('untrusted', 'affirming'), 'trusted')
  assert.equal(trustAfter('trusted', 'warning'), 'suspect')
  assert.equal(trustAfter('trusted', 'contraindicated'), 'untrusted')
  assert.equal(trustAfter('trusted', 'none'), 'suspect')
  assert.equal(trustAfter('untrusted', 'none'), 'untrusted')
})

test('devices that began together are asked apart, and answers are due before the next request', () => {
  assert.deepEqual(
    [0, 0.5, 1].map((chance) => nextAttestation(0, 100, chance).getTime()),
    [90_000, 100_000, 110_000],
  )
  assert.deepEqual([10, 60, 3_600, 0].map(answerWithinMs), [30_000, 54_000, 300_000, 300_000])
})
