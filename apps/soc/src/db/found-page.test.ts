import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestSoc } from '../testing/test-soc.ts'
import { MOST_SORTED } from './found-page.ts'

type Listed = { items: { id: string }[]; total: number; next_cursor: string | null }

test('a text is searched for in long lists', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const ask = async (path: string): Promise<Listed> => {
    const { status, body } = await soc.call('GET', path, { as })
    assert.equal(status, 200, JSON.stringify(body))
    return body
  }
  /** All pages, one after the other. */
  async function walk(path: string): Promise<Listed> {
    const first = await ask(path)
    const items = [...first.items]
    for (let next = first.next_cursor; next; ) {
      const page = await ask(`${path}&cursor=${next}`)
      assert.equal(page.total, first.total)
      items.push(...page.items)
      next = page.next_cursor
    }
    return { ...first, items }
  }
  const idsOf = ({ items }: Listed) => items.map(({ id }) => String(id))

  const many = MOST_SORTED + 50
  await soc.query(`INSERT INTO audit_log (actor, actor_kind, action, target, outcome, detail)
    SELECT 'somebody', 'user', 'made.up', 'thing:' || n, 'done',
      CASE WHEN n % 1000 = 7 THEN 'A Rare 100%_\\word' ELSE 'Usual' END
    FROM generate_series(1, ${many}) AS n`)
  await soc.query(`INSERT INTO iocs (id, type, value, score, tlp, valid_from, sources, tags,
      description, created_by)
    SELECT gen_random_uuid(), 'domain', 'n' || n || '.example', n % 100, 'amber', now(),
      ARRAY['feed'], ARRAY['tag'], CASE WHEN n % 1000 = 7 THEN 'A Rare word' END, 'somebody'
    FROM generate_series(1, ${many}) AS n`)
  const few = Math.ceil((many - 6) / 1000)

  for (const order of ['asc', 'desc'] as const) {
    await t.test(`the audit log, few matches, ${order}`, async () => {
      const rows = await soc.query<{ id: string }>(
        `SELECT id FROM audit_log WHERE detail LIKE '%Rare%' ORDER BY id ${order}`,
      )
      const found = await walk(`/audit?q=rare&limit=4&order=${order}`)
      assert.deepEqual([found.items.length, found.total], [few, few])
      assert.deepEqual(idsOf(found), idsOf({ ...found, items: rows }))
    })
  }

  await t.test('signs of patterns stand for themselves', async () => {
    assert.equal((await ask(`/audit?q=${encodeURIComponent('100%_\\WORD')}`)).total, few)
    assert.equal((await ask(`/audit?q=${encodeURIComponent('100_%')}`)).total, 0)
    assert.equal((await ask(`/audit?q=${encodeURIComponent('\\')}`)).total, few)
  })

  await t.test('of the audit log all matches are counted, however many', async () => {
    const page = await ask('/audit?q=made.up&limit=3&skip=2')
    assert.equal(page.total, many)
    const rows = await soc.query<{ id: string }>(
      `SELECT id FROM audit_log WHERE action = 'made.up' ORDER BY id DESC OFFSET 2 LIMIT 3`,
    )
    assert.deepEqual(idsOf(page), idsOf({ ...page, items: rows }))
  })

  await t.test('a page behind the last match is empty and tells how many there are', async () => {
    const audit = await ask(`/audit?q=rare&skip=${few}`)
    assert.deepEqual([audit.items, audit.total, audit.next_cursor], [[], few, null])
    const iocs = await ask(`/iocs?q=rare&skip=${few}`)
    assert.deepEqual([iocs.items, iocs.total, iocs.next_cursor], [[], few, null])
    assert.equal((await ask('/iocs?q=nowhere')).total, 0)
  })

  for (const sort of ['created_at', 'score']) {
    await t.test(`indicators by ${sort}, few matches`, async () => {
      const found = await walk(`/iocs?q=RARE&limit=4&sort=${sort}`)
      assert.deepEqual([found.items.length, found.total], [few, few])
      const rows = await soc.query<{ id: string }>(
        `SELECT id FROM iocs WHERE description IS NOT NULL
        ORDER BY ${sort === 'score' ? 'score DESC, created_at' : sort} DESC, id DESC`,
      )
      assert.deepEqual(idsOf(found), idsOf({ ...found, items: rows }))
    })
  }

  await t.test('indicators, many matches are counted up to ten thousand', async () => {
    const page = await ask('/iocs?q=.example&limit=3&sort=score&skip=5')
    assert.equal(page.total, 10_000)
    const rows = await soc.query<{ id: string }>(
      'SELECT id FROM iocs ORDER BY score DESC, created_at DESC, id DESC OFFSET 5 LIMIT 3',
    )
    assert.deepEqual(idsOf(page), idsOf({ ...page, items: rows }))
  })
})
