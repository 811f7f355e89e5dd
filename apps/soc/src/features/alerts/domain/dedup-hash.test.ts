import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dedupHash } from './dedup-hash.ts'

const alert = { title: 'Brute force', source: 'auth', iocs: ['10.0.0.7', '10.0.0.10'] }

// printf '["Brute force","auth",["10.0.0.10","10.0.0.7"]]' | sha256sum
const KNOWN = 'b878fbc3ca10f9351d61e2220b918b71e0dcc274c7cfefac44344aff452a02f1'

test('the hash is SHA-256 over the JSON array of title, source and sorted IOCs', () =>
  assert.equal(dedupHash(alert), KNOWN))

test('the order of the IOCs does not matter', () =>
  assert.equal(dedupHash({ ...alert, iocs: alert.iocs.toReversed() }), KNOWN))

const OTHERS = [
  { ...alert, title: 'Brute force ' },
  { ...alert, source: 'Auth' },
  { ...alert, iocs: ['10.0.0.7'] },
  { ...alert, iocs: ['10.0.0.7', '10.0.0.10', '10.0.0.10'] },
  { title: 'Brute', source: 'force","auth', iocs: alert.iocs },
]
for (const other of OTHERS) {
  test(`another identity, another hash: ${JSON.stringify(other)}`, () =>
    assert.notEqual(dedupHash(other), KNOWN))
}

test('text beyond ASCII is hashed as UTF-8', () =>
  assert.equal(
    dedupHash({ title: 'Überlauf', source: 'مراقبة', iocs: [] }),
    '0979912c1643083cb0850024ed1b219e463d8918ae7f5896057d6c698cc3ae06',
  ))
