import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { test } from 'node:test'
import { createOwnHost } from './own-host.ts'

const isOwn = createOwnHost(['SOC.example'])

const CASES: [boolean, string | undefined, string | undefined][] = [
  [true, 'localhost:8000', undefined],
  [true, '127.0.0.1:8000', undefined],
  [true, '[::1]:8000', undefined],
  [true, '10.2.3.4', undefined],
  [true, hostname(), undefined],
  [true, 'soc.EXAMPLE:8443', undefined],
  [true, 'soc.example', 'https://soc.example'],
  [true, 'localhost:8000', 'http://localhost:8000'],
  [false, undefined, undefined],
  [false, '', undefined],
  [false, 'evil.example', undefined],
  [false, 'evil.example', 'http://evil.example'],
  [false, 'localhost.evil.example:8000', undefined],
  [false, 'localhost:8000', 'http://evil.example'],
  [false, 'localhost:8000', 'http://localhost:9000'],
  [false, 'localhost:8000', 'null'],
]

for (const [expected, host, origin] of CASES) {
  test(`host ${host}, origin ${origin}: ${expected ? 'ours' : 'not ours'}`, () =>
    assert.equal(isOwn({ host, origin }), expected))
}
