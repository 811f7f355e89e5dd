import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedRules, sigmaFilter, sigmaRule } from '../../../testing/imported-rules.ts'
import { fillSourcesOnce } from './fill-sources.ts'

test('rules get their sources also with the filters they were imported with', async (t) => {
  const { db, install, passes } = await importedRules(t)
  await install(sigmaRule('filtered'), sigmaFilter('filtered'), sigmaRule('plain'))
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
  const { pass } = fillSourcesOnce(passes)
  while (await pass());
  assert.deepEqual(await read(), imported)
})
