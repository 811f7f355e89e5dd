import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accountFor } from './postgres-programs.ts'

const POSTGRES = 'postgres:x:101:104::/var/lib/postgresql:/bin/bash'
const NOBODY = 'nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin'
const ROOT = 'root:x:0:0:root:/root:/bin/bash'
const KIM = 'kim:x:1000:1000::/home/kim:/bin/bash'
const BOTH = [ROOT, POSTGRES, NOBODY, KIM]

const CHOSEN: [what: string, owner: number | undefined, passwd: string[], uid: number][] = [
  ['a new cluster is of postgres', undefined, BOTH, 101],
  ['and of nobody where there is no postgres', undefined, [ROOT, NOBODY], 65534],
  ['one of postgres stays', 101, BOTH, 101],
  ['one of nobody stays, also when postgres comes later', 65534, BOTH, 65534],
]
for (const [what, owner, passwd, uid] of CHOSEN) {
  test(what, () => assert.equal(accountFor('/c', owner, passwd.join('\n')).uid, uid))
}

const REFUSED: [owner: number | undefined, passwd: string[], message: RegExp][] = [
  [undefined, [ROOT], /there is no account postgres or nobody$/],
  [0, [ROOT], /there is no account postgres or nobody$/],
  [0, BOTH, /^\/c belongs to root, .*: chown -R postgres \/c$/],
  [0, [ROOT, NOBODY], /: chown -R nobody \/c$/],
  [1000, BOTH, /^\/c belongs to kim: start as that account, not as root$/],
  [54321, BOTH, /^\/c belongs to 54321: start/],
]
for (const [owner, passwd, message] of REFUSED) {
  test(`a cluster of ${owner} with ${passwd.length} accounts: ${message.source}`, () => {
    assert.throws(() => accountFor('/c', owner, passwd.join('\n')), { message })
  })
}
