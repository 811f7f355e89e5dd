import assert from 'node:assert/strict'
import type { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import { createOriginCheck } from './origin-check.ts'
import { createOwnNames } from './own-names.ts'

const interfaces = (() => ({
  lo: [{ address: '127.0.0.1' }, { address: '::1' }],
  wlan0: [{ address: '192.168.1.20' }, { address: 'fe80::1%wlan0' }, { address: '2001:db8:1::20' }],
})) as unknown as typeof networkInterfaces

const problemOf = createOriginCheck({
  own: createOwnNames({ hostnames: () => ['minaret', 'pi.attic.example'], interfaces }),
  allowed: ['https://player.example.org', 'radio.home', 'http://localhost:5173'],
})

const HOSTS: [host: string | undefined, isAllowed: boolean][] = [
  [undefined, true],
  ['localhost:8443', true],
  ['127.0.0.1', true],
  ['127.9.9.9:8443', true],
  ['[::1]:8443', true],
  ['192.168.1.20:8443', true],
  ['[fe80::1]', true],
  ['[2001:DB8:1:0::20]:8443', true],
  ['minaret', true],
  ['Minaret.LOCAL:8443', true],
  ['minaret.local.:8443', true],
  ['minaret.lan', true],
  ['pi.attic.example', true],
  ['pi.local', true],
  ['player.example.org', true],
  ['radio.home:9000', true],
  ['evil.example', false],
  ['evil.example:8443', false],
  ['minaret.evil.example', false],
  ['localhost.evil.example', false],
  ['192.168.1.21', false],
  ['0.0.0.0:8443', false],
  ['[2001:db8:1::21]', false],
  ['player.example.org:444', false],
  ['localhost@evil.example', false],
  ['localhost/evil', false],
  ['', false],
]

for (const [host, isAllowed] of HOSTS) {
  test(`Host ${host} is ${isAllowed ? 'ours' : 'refused'}`, () => {
    assert.equal(problemOf({ host }) === undefined, isAllowed)
  })
}

const ORIGINS: [host: string, origin: string, isAllowed: boolean][] = [
  ['192.168.1.20:8443', 'https://192.168.1.20:8443', true],
  ['192.168.1.20:8443', 'https://minaret.local:8443', true],
  ['[fe80::1]:8443', 'https://[fe80::1]:8443', true],
  ['minaret.local', 'https://minaret.local', true],
  ['localhost:8443', 'https://player.example.org', true],
  ['localhost:8443', 'http://localhost:5173', true],
  ['radio.home', 'http://radio.home:81', true],
  ['localhost:8443', 'http://player.example.org', false],
  ['localhost:8443', 'https://player.example.org:444', false],
  ['localhost:8443', 'https://evil.example', false],
  ['localhost:8443', 'https://evil.example:8443', false],
  ['localhost:8443', 'https://localhost.evil.example:8443', false],
  ['localhost:8443', 'http://localhost:3000', false],
  ['192.168.1.20:8443', 'http://192.168.1.66:8443', false],
  ['localhost:8443', 'null', false],
  ['localhost:8443', 'file://', false],
  ['localhost:8443', 'chrome-extension://localhost', false],
  ['localhost:8443', '', false],
]

for (const [host, origin, isAllowed] of ORIGINS) {
  test(`Origin ${origin || '(empty)'} at ${host} is ${isAllowed ? 'ours' : 'refused'}`, () => {
    const problem = problemOf({ host, origin })
    assert.equal(problem === undefined, isAllowed)
    if (problem) assert.match(problem, /^origin: /)
  })
}

test('an image or a script on another site is refused, a link there is followed', () => {
  const from = (site: string, mode: string) =>
    problemOf({ host: 'localhost', 'sec-fetch-site': site, 'sec-fetch-mode': mode })
  assert.match(from('cross-site', 'no-cors') ?? '', /^origin: /)
  assert.equal(from('cross-site', 'navigate'), undefined)
  assert.equal(from('same-origin', 'cors'), undefined)
  assert.equal(from('none', 'navigate'), undefined)
})
