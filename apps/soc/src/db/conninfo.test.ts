import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { testDatabase } from '../testing/test-postgres.ts'
import { connectionOf } from './connect-in-turn.ts'
import { type Conninfo, readConninfo } from './conninfo.ts'

// The forms of section 34.1.1 of PostgreSQL's manual.
const FORMS: [text: string, hosts: Conninfo['hosts'], parameters: Record<string, string>][] = [
  ['postgresql://', [{}], {}],
  ['postgresql://localhost', [{ host: 'localhost' }], {}],
  ['postgresql://localhost:5433', [{ host: 'localhost', port: 5433 }], {}],
  ['postgres://localhost/mydb', [{ host: 'localhost' }], { dbname: 'mydb' }],
  ['postgresql://user@localhost', [{ host: 'localhost' }], { user: 'user' }],
  [
    'postgresql://user:se%40cret@localhost/x?connect_timeout=10&application_name=my%20app',
    [{ host: 'localhost' }],
    {
      user: 'user',
      password: 'se@cret',
      dbname: 'x',
      connect_timeout: '10',
      application_name: 'my app',
    },
  ],
  [
    'postgresql://host1:123,host2:456/somedb?target_session_attrs=primary',
    [
      { host: 'host1', port: 123 },
      { host: 'host2', port: 456 },
    ],
    { dbname: 'somedb', target_session_attrs: 'primary' },
  ],
  [
    'postgresql:///mydb?host=localhost&port=5433',
    [{ host: 'localhost', port: 5433 }],
    { dbname: 'mydb' },
  ],
  ['postgresql://[2001:db8::1234]/database', [{ host: '2001:db8::1234' }], { dbname: 'database' }],
  [
    'postgresql:///dbname?host=/var/lib/postgresql',
    [{ host: '/var/lib/postgresql' }],
    { dbname: 'dbname' },
  ],
  [
    'postgresql://%2Fvar%2Flib%2Fpostgresql/dbname',
    [{ host: '/var/lib/postgresql' }],
    { dbname: 'dbname' },
  ],
  [
    'postgresql://soc@/soc?host=/run/postgresql',
    [{ host: '/run/postgresql' }],
    { user: 'soc', dbname: 'soc' },
  ],
  [
    "host=/run/postgresql port = 5433 dbname='my db' password='it\\'s' user=soc",
    [{ host: '/run/postgresql', port: 5433 }],
    { dbname: 'my db', password: "it's", user: 'soc' },
  ],
  [
    'host=a,b port=1,2 user=x',
    [
      { host: 'a', port: 1 },
      { host: 'b', port: 2 },
    ],
    { user: 'x' },
  ],
  ['dbname=soc', [{}], { dbname: 'soc' }],
  [
    // As a hosted PostgreSQL gives it.
    'postgresql://soc:x@db.example.org/soc?sslmode=require&channel_binding=require&gssencmode=disable',
    [{ host: 'db.example.org' }],
    {
      ...{ user: 'soc', password: 'x', dbname: 'soc' },
      ...{ sslmode: 'require', channel_binding: 'require', gssencmode: 'disable' },
    },
  ],
]

for (const [text, hosts, parameters] of FORMS) {
  test(`DATABASE_URL ${text}`, () => {
    assert.deepEqual(readConninfo(text), { hosts, parameters })
  })
}

for (const [text, why] of [
  ['mysql://root:hunter22@db', /must be postgresql/],
  ['host=a nonsense', /must be postgresql/],
  ['postgresql://a/b?sslmoed=require', /sslmoed is no parameter/],
  ['postgresql://a:70000/b', /port: must be a number/],
  ['host=a,b,c port=1,2', /one for all hosts, or one for each/],
  ['postgresql://%zz/b', /hexadecimal/],
  ['postgresql://a/b?gssencmode=require', /gssencmode: there is no GSSAPI here/],
  ['postgresql://a/b?channel_binding=require', /channel_binding: needs sslmode=verify-full/],
] as const) {
  test(`DATABASE_URL ${text} is refused without showing it`, () => {
    assert.throws(
      () => readConninfo(text),
      (error: Error) => {
        assert.match(error.message, why)
        assert.doesNotMatch(error.message, /hunter22/)
        return true
      },
    )
  })
}

for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
  test(`a file named as ${name} that is not there stops the start, and which setting names it is said`, () => {
    const conninfo = readConninfo(`postgresql://a/b?sslmode=verify-full&${name}=/nowhere`)
    assert.throws(() => connectionOf(conninfo, 'DATABASE_OWNER_URL'), {
      name: 'StartError',
      message: `DATABASE_OWNER_URL: ${name}: /nowhere cannot be read: there is no such file`,
    })
  })
}

test('a password is bound to the encrypted channel where that is asked for, also as a preference', () => {
  const bound = (words: string) =>
    connectionOf(readConninfo(`postgresql://a/b?sslmode=require${words}`), 'DATABASE_URL')
      .enableChannelBinding ?? false
  assert.deepEqual(
    ['', '&channel_binding=disable', '&channel_binding=prefer', '&channel_binding=require'].map(
      bound,
    ),
    [false, false, true, true],
  )
})

test('of several hosts the first that answers is taken, over a socket directory, too', async () => {
  const { host, user, database } = await testDatabase()
  const socket = encodeURIComponent(String(host))
  const text = `postgresql://${user}@%2Fnowhere,${socket}/${database}?target_session_attrs=read-write`
  const connection = connectionOf(readConninfo(text), 'DATABASE_URL')
  const pool = new pg.Pool({ ...connection, connectionTimeoutMillis: 10_000 })
  await assert.rejects(pool.query('SELECT 1'), { code: 'ENOENT' })
  const { rows } = await pool.query('SELECT current_database() AS name')
  assert.equal(rows[0].name, database)
  await pool.end()
})

test('with several hosts the password is kept, which a pool hides from whoever copies its options', () => {
  const connection = connectionOf(readConninfo('postgresql://soc:hunter22@a,b/soc'), 'DATABASE_URL')
  const pool = new pg.Pool(connection)
  const client = new (connection.Client as typeof pg.Client)(pool.options)
  assert.equal(client.password, 'hunter22')
})
