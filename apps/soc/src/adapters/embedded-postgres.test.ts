import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { silentLog } from '../testing/test-postgres.ts'
import { until } from '../testing/until.ts'
import { startEmbeddedPostgres } from './embedded-postgres.ts'

test('the embedded PostgreSQL starts after whatever became of the one before', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-postgres-'))
  const cluster = path.join(directory, 'postgres')
  const pidFile = path.join(cluster, 'postmaster.pid')
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const start = async () => {
    const server = await startEmbeddedPostgres(directory, silentLog)
    const client = new pg.Client(server.connection)
    client.on('error', () => {})
    await client.connect()
    return { ...server, client }
  }
  await t.test('none was there, and TMPDIR is longer than a socket may be', async (t) => {
    const before = process.env.TMPDIR
    t.after(() => {
      if (before === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = before
    })
    process.env.TMPDIR = path.join(directory, 'long'.repeat(30))
    mkdirSync(process.env.TMPDIR)
    const { client, stop } = await start()
    const { rows } = await client.query('SHOW dynamic_shared_memory_type')
    assert.equal(rows[0].dynamic_shared_memory_type, 'sysv')
    await client.end()
    await stop()
  })

  await t.test('it was of another account', { skip: process.getuid?.() !== 0 }, async () => {
    spawnSync('chown', ['-R', 'nobody', cluster])
    const { client, stop } = await start()
    await client.end()
    await stop()
    const { uid } = statSync(cluster)
    spawnSync('chown', ['54321', cluster])
    await assert.rejects(start(), {
      message: `${cluster} belongs to 54321: start as that account, not as root`,
    })
    spawnSync('chown', ['0', cluster])
    await assert.rejects(start(), {
      message: new RegExp(
        `^${cluster} belongs to root, .*: chown -R (postgres|nobody) ${cluster}$`,
      ),
    })
    spawnSync('chown', [`${uid}`, cluster])
  })

  await t.test('its number is another process by now', async (t) => {
    const other = spawn('sleep', ['600'], { uid: statSync(cluster).uid })
    t.after(() => other.kill('SIGKILL'))
    await once(other, 'spawn')
    writeFileSync(pidFile, `${other.pid}\n${cluster}\n`)
    const { client, stop } = await start()
    assert.equal((await client.query('SELECT 1 AS one')).rows[0].one, 1)
    await client.end()
    await stop()
  })

  await t.test('it was killed, and one of its statements runs on', async () => {
    const killed = await start()
    const watching = new pg.Client(killed.connection)
    watching.on('error', () => {})
    await watching.connect()
    const asked = killed.client.query('SELECT count(*) FROM generate_series(1, 5000000) AS long')
    asked.catch(() => {})
    await until('the statement runs', async () => {
      const active = `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%AS long'`
      return (await watching.query(active)).rowCount === 1
    })
    process.kill(Number.parseInt(readFileSync(pidFile, 'utf8'), 10), 'SIGKILL')
    await killed.stop()
    const { client, stop } = await start()
    await client.end()
    await stop()
  })
})
