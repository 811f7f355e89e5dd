import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedLog } from '../../testing/stored-log.ts'
import { createScanPages } from './scan-pages.ts'

const ALL = { query: { kind: 'all' }, time: {} } as const

test('what was read for a scan is kept for its next page, and let go of when nobody reads on', async () => {
  let reads = 0
  const { page, end } = createScanPages(async () => {
    reads += 1
    return Array.from({ length: 1_200 }, () => storedLog())
  })
  const next = async (scan: string) => {
    const { logs, isLast } = await page(scan, ALL, undefined, {})
    return [logs.length, isLast]
  }
  assert.deepEqual(await next('whole'), [500, false])
  assert.deepEqual(await next('left'), [500, false])
  assert.equal(reads, 2)
  assert.deepEqual(
    [await next('whole'), await next('whole')],
    [
      [500, false],
      [200, true],
    ],
  )
  assert.equal(reads, 2)
  end('left')
  await next('left')
  assert.equal(reads, 3, 'nothing was kept')
})
