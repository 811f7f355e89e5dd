import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../../../../db/database.ts'
import type { LogSelection, StoredLog } from '../../../../ports/log-store.ts'
import { silentLog, testDatabase } from '../../../../testing/test-postgres.ts'
import { until } from '../../../../testing/until.ts'
import { rarity } from '../../domain/investigation/baseline.ts'
import { asLog, hostEvents } from '../../domain/investigation/testing/made-recordings.ts'
import { createThreads } from '../thread/threads.ts'
import { createBaselineReader, createLearning } from './learn-days.ts'

const DAY_MS = 86_400_000
const NOW = Date.UTC(2026, 2, 5, 3)

/** Eight hosts, all with one program, one of them with another. */
function storedLogs(): StoredLog[] {
  const hosts = Array.from({ length: 8 }, (_, n) => hostEvents(`PC-${n}`))
  for (const host of hosts) host.start(['explorer.exe', 1], ['winword.exe', 2], 'mona', 'winword')
  hosts[0]?.start(['winword.exe', 2], ['rare.exe', 3], 'mona', 'rare')
  return hosts
    .flatMap(({ events }) => events)
    .map((raw, place) => ({ ...asLog(raw, place), received_at: NOW, original: null }))
}

test('days that are over are learnt once, and what few hosts show is rare', async (t) => {
  const database = createDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  await database.start()
  const threads = createThreads(1)
  t.after(() => threads.stop())
  const asked: number[] = []
  const logs = {
    async *scan({ time }: LogSelection) {
      asked.push(time.from ?? 0)
      const found = storedLogs().filter(({ at }) => at >= (time.from ?? 0) && at < (time.to ?? 0))
      if (found.length > 0) yield found
    },
  }
  const deps = {
    db: database.kysely,
    logs,
    threads,
    isReady: () => true,
    now: () => NOW,
    log: silentLog,
  }
  const readBaseline = createBaselineReader(database.kysely)
  assert.equal(rarity(await readBaseline(), 'p:winword.exe'), 0.5, 'nothing is known yet')

  const learning = createLearning(deps)
  learning.start()
  learning.wake()
  await until('every day is learnt', () => asked.length === 28)
  await learning.stop()
  assert.equal(asked[0], NOW - (NOW % DAY_MS) - DAY_MS, 'yesterday first')

  const baseline = await readBaseline()
  assert.equal(baseline.hostDays, 8)
  assert.equal(baseline.seen.get('c:explorer.exe>winword.exe'), 8)
  assert.equal(rarity(baseline, 'p:winword.exe'), 0)
  assert.ok(rarity(baseline, 'p:rare.exe') > 0.6)

  const again = createLearning(deps)
  again.start()
  again.wake()
  await again.stop()
  assert.equal(asked.length, 28, 'a day is learnt once')
})
