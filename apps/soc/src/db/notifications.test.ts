import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { dropDatabase, testDatabase } from '../testing/test-postgres.ts'
import { until } from '../testing/until.ts'
import { createNotifications } from './notifications.ts'

/** Hears what it is told when it is let. */
function slowListener() {
  const held: (() => void)[] = []
  let isLet = false
  class SlowClient extends pg.Client {
    override emit(event: string, ...rest: unknown[]): boolean {
      const hear = () => super.emit(event as 'notification', ...(rest as [never]))
      if (event !== 'notification' || isLet) return hear()
      held.push(hear)
      return true
    }
  }
  const let_ = () => {
    isLet = true
    for (const hear of held.splice(0)) hear()
  }
  return { Client: SlowClient as unknown as typeof pg.Client, held, let: let_ }
}

test('a change has gone round when every process has heard of it, not this one alone', async (t) => {
  const connection = await testDatabase()
  const slow = slowListener()
  const [one, two] = [connection, { ...connection, Client: slow.Client }].map((each) =>
    createNotifications({ connection: each as pg.PoolConfig, isAvailable: () => true }),
  ) as [ReturnType<typeof createNotifications>, ReturnType<typeof createNotifications>]
  t.after(async () => {
    await Promise.all([one.close(), two.close()])
    await dropDatabase(connection)
  })
  await Promise.all([one.start(), two.start()])
  const heard: string[] = []
  one.on('soc_rules', () => heard.push('one: what came later'))
  two.on('soc_identity', (username) => heard.push(`two: ${username}`))
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(`SELECT pg_notify('soc_identity', 'leila')`)
  await admin.end()

  const gone = one.caughtUp().then(() => heard.push('gone round'))
  // Both what happened and the question whether it was heard have come there.
  await until('two was told', () => slow.held.length >= 2)
  one.tell('soc_rules')
  await until('one has heard all before it', () => heard.length > 0)
  assert.deepEqual(heard, ['one: what came later'])
  slow.let()
  await gone
  assert.deepEqual(heard, ['one: what came later', 'two: leila', 'gone round'])
})

test('alone, a change has gone round when it was heard here', async (t) => {
  const connection = await testDatabase()
  const one = createNotifications({ connection, isAvailable: () => true })
  t.after(async () => {
    await one.close()
    await dropDatabase(connection)
  })
  await one.caughtUp()
  await one.start()
  const heard: string[] = []
  one.on('soc_identity', (username) => heard.push(username))
  const admin = new pg.Client(connection)
  await admin.connect()
  await admin.query(`SELECT pg_notify('soc_identity', 'leila')`)
  await admin.end()
  await one.caughtUp()
  assert.deepEqual(heard, ['leila'])
})

test('a server that lets in and says nothing is left, and asked again', async (t) => {
  const real = await testDatabase()
  const host = mkdtempSync(path.join(tmpdir(), 'soc-silent-'))
  const SOCKET = '.s.PGSQL.5432'
  const callers: Socket[] = []
  const server = createServer((caller) => {
    callers.push(caller.on('error', () => {}))
    if (callers.length > 1) caller.pipe(connect(path.join(real.host, SOCKET))).pipe(caller)
  })
  await once(server.listen(path.join(host, SOCKET)), 'listening')
  const connection = { ...real, host }
  const one = createNotifications({ connection, isAvailable: () => true, answerMs: 1_000 })
  t.after(async () => {
    await one.close()
    for (const caller of callers) caller.destroy()
    server.close()
    await dropDatabase(real)
    rmSync(host, { recursive: true, force: true })
  })
  void one.start()
  await until('it listens', one.isListening)
})
