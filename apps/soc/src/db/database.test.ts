import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { severablePostgres } from '../testing/severable-postgres.ts'
import { ownerOf, silentLog, testDatabase } from '../testing/test-postgres.ts'
import { transactionPooler } from '../testing/transaction-pooler.ts'
import { until } from '../testing/until.ts'
import { openDatabase } from './database.ts'

test('a service that had no time itself does not take the database for lost', async (t) => {
  const patienceMs = 200
  let asks = Number.NEGATIVE_INFINITY
  const stall = () => {
    const over = performance.now() + 2 * patienceMs
    while (performance.now() < over);
  }
  /** Has no time for anything as soon as it has asked whether the database is there. */
  class Client extends pg.Client {
    override query(...asked: never[]) {
      const answer = super.query(...(asked as [never]))
      if ((asked[0] as unknown) === 'SELECT 1' && asks++ >= 0 && asks <= 5) setImmediate(stall)
      return answer as never
    }
  }
  const connection = await testDatabase()
  const told: unknown[] = []
  const log = Object.assign(Object.create(silentLog), { warn: (word: unknown) => told.push(word) })
  const options = { connection: { ...connection, Client }, log, probeMs: 10, patienceMs }
  const database = await openDatabase(options)
  t.after(() => database.close())
  asks = 0
  await until('it was asked with time again', () => asks > 6)
  assert.ok(database.isAvailable())
  assert.deepEqual(told, [])
})

test('a database that goes while its schema is looked at is waited for', async (t) => {
  const line = await severablePostgres(t)
  let isFirst = true
  /** Its line is cut as soon as it has asked for something. */
  class Owner extends pg.Client {
    override query(...asked: never[]) {
      const answer = super.query(...(asked as [never]))
      if (isFirst) void line.cut().then(line.mend)
      isFirst = false
      return answer as never
    }
  }
  const database = await openDatabase({
    connection: line.connection,
    owner: { ...ownerOf(line.connection), Client: Owner },
    ...{ log: silentLog, probeMs: 10 },
  })
  t.after(() => database.close())
  await until('it is there', database.isAvailable)
})

test('a database that falls silent as soon as it is back is waited for', async (t) => {
  const line = await severablePostgres(t)
  const { connection } = line
  const options = { connection, log: silentLog, probeMs: 10, patienceMs: 500 }
  const database = await openDatabase(options)
  t.after(() => database.close())
  let falls = false
  let fell = 0
  await database.onAvailable(async () => {
    if (falls) {
      falls = false
      fell += 1
      line.darken()
    }
    await sql`SELECT 1`.execute(database.kysely)
  })
  await until('it is there', database.isAvailable)
  await line.cut()
  await until('it is away', () => !database.isAvailable())
  falls = true
  await line.mend()
  await until('it is back', database.isAvailable)
  assert.equal(fell, 1)
})

/** A log that keeps what is told as an error. */
function errorsIn(told: string[]) {
  return Object.assign(Object.create(silentLog), {
    error: (_: unknown, word: string) => void told.push(word),
  })
}

test('a database that cannot be reached says why, once', async (t) => {
  let asks = 0
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config)
      asks += 1
    }
  }
  const told: string[] = []
  const connection = { host: '/nowhere', Client }
  const database = await openDatabase({ connection, log: errorsIn(told), probeMs: 10 })
  t.after(() => database.close())
  await until('it was asked again', () => asks > 3)
  assert.equal(told.length, 1)
  assert.match(told[0] ?? '', /the database cannot be used: .*ENOENT.*: see that it runs/)
})

test('of several hosts each says why once, in whatever order they are asked', async (t) => {
  let asks = 0
  class Client extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, host: `/nowhere/${asks++ % 2}` })
    }
  }
  const told: string[] = []
  const database = await openDatabase({ connection: { Client }, log: errorsIn(told), probeMs: 10 })
  t.after(() => database.close())
  await until('both were asked again', () => asks > 6)
  assert.equal(told.length, 2, told.join('\n'))
})

test('a database that a newer version has changed is left alone, and says so', async (t) => {
  const connection = await testDatabase()
  const direct = new pg.Pool(ownerOf(connection))
  t.after(() => direct.end())
  await direct.query(`INSERT INTO kysely_migration (name, timestamp) VALUES ('999-later', '')`)
  const told: string[] = []
  const options = { connection, owner: ownerOf(connection), log: errorsIn(told) }
  const database = await openDatabase(options)
  t.after(() => database.close())
  assert.equal(database.isAvailable(), false)
  assert.match(told.join(), /a newer version has changed it \(999-later\): start that version/)
})

test('a pooler that shares connections by transaction is refused, and what to do is said', async (t) => {
  const connection = await testDatabase()
  const { Client, close } = transactionPooler(connection)
  const told: string[] = []
  const database = await openDatabase({
    connection: { ...connection, Client },
    log: errorsIn(told),
  })
  t.after(async () => {
    await database.close()
    await close()
  })
  assert.equal(database.isAvailable(), false)
  assert.match(told.join(), /by transaction: name the server itself in DATABASE_URL/)
})

test('who gets no further connection of the server waits for one there is', async (t) => {
  const connection = await testDatabase()
  const direct = new pg.Pool(ownerOf(connection))
  t.after(() => direct.end())
  const database = await openDatabase({ connection, log: silentLog })
  t.after(() => database.close())
  await direct.query(`ALTER DATABASE ${connection.database} CONNECTION LIMIT 5`)
  const ask = () => sql`SELECT pg_sleep(0.01)`.execute(database.kysely)
  await Promise.all(Array.from({ length: 40 }, ask))
  assert.ok(database.connections().busy + database.connections().idle <= 5)
})
