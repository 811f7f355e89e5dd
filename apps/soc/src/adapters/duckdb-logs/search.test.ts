import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { asking, storedLog } from '../../ports/log-store.contract.ts'
import { openEngine } from './engine.ts'
import { packLogs } from './pack-logs.ts'

test('searches whose callers have all gone leave no failure behind that nobody awaits', async (t) => {
  const directory = mkdtempSync(path.join(tmpdir(), 'search-'))
  const engine = await openEngine(
    {
      ...{ directory, memoryMb: 256, segmentEvents: 30, partitionEvents: 10_000, filterMb: 8 },
      ...{ reserveMb: 0, checkpoints: undefined },
    },
    () => {},
    () => {},
  )
  t.after(async () => {
    await engine.close()
    rmSync(directory, { recursive: true, force: true })
  })
  const logs = Array.from({ length: 3_000 }, (_, at) => storedLog({ id: `${at}` }))
  await engine.append([packLogs(logs)])

  const request = asking('message:e*', { countEvents: 10_000 })
  for (let turns = 0; turns < 20; turns++) {
    const gone = new AbortController()
    // More than there are connections: what counts beside the first rows of each waits for its turn.
    const left = Array.from({ length: 12 }, () => engine.search(request, { signal: gone.signal }))
    const ended = Promise.allSettled(left)
    for (let turn = 0; turn < turns; turn++) await setImmediate()
    gone.abort(new Error('the caller has gone'))
    await ended
  }
  assert.equal((await engine.search(request, {})).total, 3_000)
})
