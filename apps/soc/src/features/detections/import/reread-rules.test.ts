import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importedRules, sigmaFilter, sigmaRule } from '../../../testing/imported-rules.ts'
import { meaningOf } from './meaning.ts'
import { rereadRulesOnce } from './reread-rules.ts'

const RULE = sigmaRule('rule-a')
const FILTER = sigmaFilter('rule-a')

test('rules of another reader are read again', async (t) => {
  const { db, internalWorkflow, passes, ...rules } = await importedRules(t)
  const install = async (...contents: string[]) => {
    await db.deleteFrom('detection_rules').execute()
    await rules.install(...contents)
    return read()
  }
  const read = () => db.selectFrom('detection_rules').selectAll().executeTakeFirstOrThrow()
  /** As another version has read it; what it meant then is known, or not. */
  const age = async (query?: string, isKnown = true) => {
    await db
      .updateTable('detection_rules')
      .set({ read_by: 'older', ...(query ? { query } : {}) })
      .execute()
    const made = isKnown ? meaningOf('rule') : null
    await db.updateTable('detection_rules as rule').set({ made }).execute()
  }
  /** `before` happens while they are being read. */
  async function again(before?: () => Promise<unknown>) {
    const { pass, isDone } = rereadRulesOnce({
      ...passes,
      async internalWorkflow(work) {
        await before?.()
        return internalWorkflow(work)
      },
    })
    while (await pass());
    assert.ok(isDone())
    return read()
  }
  const audited = async () => {
    const entries = db.selectFrom('audit_log').select('id').where('action', '=', 'rules.reread')
    return (await entries.execute()).length
  }

  await t.test('with the filter that it was imported with', async () => {
    const { query, warnings } = await install(RULE, FILTER)
    assert.match(query, /NOT fields.host:test/)
    await age('as of old')
    const after = await again()
    assert.deepEqual([after.query, after.version, after.warnings], [query, 2, warnings])
  })

  await t.test('what is filled in meanwhile stays', async () => {
    const { source_query } = await install(RULE)
    await age()
    await db.updateTable('detection_rules').set({ source_query: null }).execute()
    const fill = () =>
      db
        .updateTable('detection_rules')
        .set({ source_query, warnings: ['new'] })
        .execute()
    const after = await again(fill)
    assert.deepEqual([after.source_query, after.warnings], [source_query, ['new']])
  })

  await t.test('one that is read as it is stored has no note that it would not be', async () => {
    const { query, warnings } = await install(RULE)
    await age('as of old', false)
    const noted = (await again()).warnings
    assert.deepEqual(noted.slice(0, -1), warnings)
    assert.match(noted.at(-1) ?? '', /^would be read otherwise/)
    await age(undefined, false)
    assert.deepEqual((await again()).warnings, noted)
    await age(query)
    assert.deepEqual((await again()).warnings, warnings)
  })

  await t.test('by several processes at once, and told once', async () => {
    await install(RULE)
    await age('as of old')
    const before = await audited()
    await Promise.all([again(), again(), again()])
    assert.equal((await read()).version, 2)
    assert.equal((await audited()) - before, 1)
  })
})
