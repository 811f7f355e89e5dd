import assert from 'node:assert/strict'
import { once } from 'node:events'
import { test } from 'node:test'
import type { Limits, StoredLog } from '../../../ports/log-store.ts'
import { exportLogs } from './export-logs.ts'
import type { ReadableLogs } from './readable-logs.ts'

const log = (number: number): StoredLog => ({
  id: `log-${number}`,
  at: number,
  received_at: number,
  source: 'test',
  host: null,
  severity: 'info',
  message: 'x'.repeat(1000),
  user: null,
  process: null,
  event_code: null,
  src_ip: null,
  dst_ip: null,
  fields: {},
  original: null,
})

/** A store without end that says how far it was read, and whether it was told to stop. */
function endlessStore() {
  const seen = { batches: 0, isClosed: false, signal: undefined as AbortSignal | undefined }
  async function* scan(_selection: unknown, limits?: Limits) {
    seen.signal = limits?.signal
    try {
      for (;;) {
        seen.batches += 1
        yield Array.from({ length: 100 }, (_, i) => log(seen.batches * 100 + i))
      }
    } finally {
      seen.isClosed = true
    }
  }
  const search = async () => ({ partial: null })
  return { seen, logs: { scan, search } as unknown as ReadableLogs }
}

test('an export reads no further than its caller, and stops with it', async () => {
  const { seen, logs } = endlessStore()
  const { lines: stream } = await exportLogs(logs, {}, 0)
  stream.once('readable', () => stream.read())
  await once(stream, 'readable')
  assert.ok(seen.batches < 5, `${seen.batches} batches were read for nobody`)

  stream.destroy()
  await once(stream, 'close')
  assert.ok(seen.isClosed && seen.signal?.aborted)
})

test('who hangs up while the store looks for more stops it', async () => {
  const leaving = new AbortController()
  const asked = Promise.withResolvers<void>()
  async function* scan(_selection: unknown, limits?: Limits) {
    yield [log(1)]
    const stopped = Promise.withResolvers<void>()
    limits?.signal?.addEventListener('abort', () => stopped.reject(limits.signal?.reason))
    asked.resolve()
    await stopped.promise
  }
  const search = async () => ({ partial: null })
  const logs = { scan, search } as unknown as ReadableLogs
  const { lines: stream } = await exportLogs(logs, {}, 0, leaving.signal)
  stream.on('error', () => {})
  stream.resume()
  await asked.promise
  const closed = once(stream, 'close')
  leaving.abort()
  stream.destroy()
  await closed
})

test('a store that fails at once is told before the answer begins', async () => {
  const logs = {
    scan: () => ({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('away')) }),
    }),
  } as unknown as ReadableLogs
  await assert.rejects(exportLogs(logs, {}, 0), /away/)
})
