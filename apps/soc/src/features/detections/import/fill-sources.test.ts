import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOperatorChange } from '../../../core/change/operator-change.ts'
import { modeOf } from '../../../core/mode/mode.ts'
import { openDatabase } from '../../../db/database.ts'
import { silentLog, testDatabase } from '../../../testing/test-postgres.ts'
import { draftFiles } from './draft-files.ts'
import { fillSourcesOnce } from './fill-sources.ts'
import { storeDrafts } from './store-drafts.ts'

const rule = (id: string) => `
title: ${id}
id: ${id}
logsource: { category: database }
detection:
    keywords: [dropped]
    condition: keywords
`
const FILTER = `
title: Not here
logsource: { category: database }
filter:
    rules: [filtered]
    selection: { host: test }
    condition: not selection
`

test('rules get their sources also with the filters they were imported with', async (t) => {
  const database = await openDatabase({ connection: await testDatabase(), log: silentLog })
  t.after(() => database.close())
  const db = database.kysely
  const { internalWorkflow } = createOperatorChange({
    database,
    mode: modeOf('real'),
    recordAudit: async () => {},
    wake: () => {},
  })
  const files = [rule('filtered'), FILTER, rule('plain')].map((content, at) => ({
    ...{ name: `${at}.yml`, content },
  }))
  const now = Date.now()
  const { chunks } = await draftFiles({ body: new Uint8Array(), files, enable: true, now })
  await internalWorkflow(({ tx }) => storeDrafts(tx, chunks, { by: 'x', setEnabled: true }))
  const read = () =>
    db
      .selectFrom('detection_rules')
      .select(['sigma_id', 'query', 'source_query', 'warnings'])
      .orderBy('sigma_id')
      .execute()
  const imported = await read()
  assert.deepEqual(
    imported.map(({ query }) => query.includes('NOT fields.host:test')),
    [true, false],
  )
  assert.ok(imported.every(({ source_query }) => source_query))

  await db.updateTable('detection_rules').set({ source_query: null }).execute()
  const { pass } = fillSourcesOnce({
    ...{ db, now: Date.now, log: silentLog, signal: new AbortController().signal },
    done() {},
  })
  while (await pass());
  assert.deepEqual(await read(), imported)
})
