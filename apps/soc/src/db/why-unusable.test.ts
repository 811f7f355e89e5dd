import assert from 'node:assert/strict'
import { test } from 'node:test'
import { whyUnusable } from './why-unusable.ts'

const said: [failure: object, words: RegExp][] = [
  [
    { code: '28P01', message: 'password authentication failed' },
    /^password .* failed: .*password in/,
  ],
  [
    { code: '3D000', message: 'database "x" does not exist' },
    /: create it, or correct DATABASE_URL$/,
  ],
  [{ code: '42501', message: 'permission denied' }, /DATABASE_OWNER_URL/],
  [{ code: '25006', message: 'cannot execute INSERT' }, /only reads/],
  [{ code: '53300', message: 'too many connections' }, /max_connections/],
  [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED' }, /: see that it runs/],
  [
    { code: '28000', message: 'no pg_hba.conf entry for host, no encryption' },
    /: see .* sslmode in/,
  ],
  [
    { message: 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string' },
    /asks for a password/,
  ],
  [
    { message: 'The server does not support SSL connections' },
    /: turn ssl on there, or say sslmode/,
  ],
  [{ code: 'DEPTH_ZERO_SELF_SIGNED_CERT', message: 'self-signed certificate' }, /sslrootcert/],
  [{ code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE', message: 'unable to verify' }, /sslrootcert/],
  [{ code: 'ERR_TLS_CERT_ALTNAME_INVALID', message: 'altnames' }, /as its certificate does/],
  [{ code: '3F000', message: 'no schema has been selected' }, /CREATE SCHEMA public/],
  [{ code: '22P05', message: 'as it is' }, /^as it is$/],
]

for (const [failure, words] of said) {
  test(`a database that is lost to ${JSON.stringify(failure)} says what to do`, () => {
    assert.match(whyUnusable(failure), words)
  })
}

test('a name with several addresses tells of the first', () => {
  const errors = [{ code: 'ECONNREFUSED', message: 'connect ECONNREFUSED ::1:5432' }]
  const failure = Object.assign(new AggregateError(errors, ''), { code: 'ECONNREFUSED' })
  assert.match(whyUnusable(failure), /^connect ECONNREFUSED ::1:5432: see that it runs/)
})
