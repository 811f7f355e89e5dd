import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alert, AlertListQuery } from '@manara/soc-contract/alerts'
import { openDatabase } from '../../db/database.ts'
import { silentLog } from '../../testing/test-postgres.ts'
import { startTestSoc } from '../../testing/test-soc.ts'
import { listAlerts } from './list-alerts.ts'

const SEEDED = [
  { title: 'Beacon to 185.220.101.4', source: 'ids', severity: 'critical', host: 'web-1' },
  { title: 'powershell.exe downloads', source: 'edr', severity: 'high', host: 'hr-7' },
  { title: 'Failed logins', source: 'auth', severity: 'medium', assignee: 'kim' },
  { title: 'New admin user', source: 'auth', severity: 'low', rule_id: 'r1', tags: ['ad'] },
  {
    title: 'Scan',
    source: 'ids',
    severity: 'info',
    description: 'nmap from the guest net',
    assignee: 'ADMIN',
  },
]

test('GET /alerts', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signIn()
  const list = async (query = '') => (await soc.call('GET', `/alerts${query}`, { as })).body
  const titles = async (query: string) =>
    (await list(query)).items.map((alert: Alert) => alert.title)
  const posted: Alert[] = []
  for (const body of SEEDED) posted.push((await soc.call('POST', '/alerts', { as, body })).body)
  const [beacon, powershell, logins, admin, scan] = SEEDED.map(({ title }) => title)

  await t.test('newest first, with total, has_more and no cursor on the last page', async () => {
    const page = await list()
    assert.deepEqual(
      page.items.map((alert: Alert) => alert.title),
      [scan, admin, logins, powershell, beacon],
    )
    // The page is written without a look at its schema: it has to have nothing else in it.
    for (const alert of page.items) {
      assert.deepEqual(Object.keys(alert).toSorted(), Object.keys(Alert.shape).toSorted())
      Alert.parse(alert)
    }
    const { items: _, ...rest } = page
    assert.deepEqual(rest, { total: 5, skip: 0, limit: 50, has_more: false, next_cursor: null })
  })

  const from = encodeURIComponent(posted[1]?.created_at ?? '')
  const FILTERS: [query: string, expected: (string | undefined)[]][] = [
    ['?severity=critical', [beacon]],
    ['?severity=critical,low&order=asc', [beacon, admin]],
    ['?status=closed,resolved', []],
    ['?status=new&source=auth', [admin, logins]],
    ['?status=closed', []],
    ['?source=nobody', []],
    ['?host=hr-7', [powershell]],
    ['?assignee=kim', [logins]],
    ['?rule_id=r1', [admin]],
    ['?assignee=Admin', [scan]],
    ['?assignee=admin&host=hr-7', []],
    ['?tag=ad', [admin]],
    ['?case_id=00000000-0000-7000-8000-000000000000', []],
    ['?case_id=nope', []],
    [`?from=${from}&order=asc`, [powershell, logins, admin, scan]],
    [`?to=${from}`, [beacon]],
    [`?updated_since=${from}&severity=info`, [scan]],
    ['?q=powershell', [powershell]],
    ['?q=POWERSHELL.exe', [powershell]],
    ['?q=185.220.101.4', [beacon]],
    ['?q=guest%20nmap', [scan]],
    ['?q=failed%20or%20beacon', [logins, beacon]],
    ['?q=auth%20-failed', [admin]],
    ['?q=%22admin%20new%22', []],
    ["?q='%3B%20drop%20table%20alerts", []],
    ['?sort=severity', [beacon, powershell, logins, admin, scan]],
    ['?sort=severity&order=asc&limit=2', [scan, admin]],
    ['?sort=updated_at&order=asc&limit=1', [beacon]],
    ['?sort=last_seen_at&limit=1', [scan]],
    ['?skip=1&limit=2', [admin, logins]],
    ['?skip=99', []],
  ]
  for (const [query, expected] of FILTERS) {
    await t.test(query, async () => assert.deepEqual(await titles(query), expected))
  }

  for (const [query, field] of [
    ['?limit=201', 'limit'],
    ['?limit=0', 'limit'],
    ['?skip=-1', 'skip'],
    ['?limit=ten', 'limit'],
    ['?severity=urgent', 'severity'],
    ['?status=open', 'status'],
    ['?sort=title', 'sort'],
    ['?order=up', 'order'],
    ['?from=yesterday', 'from'],
    ['?cursor=abc', 'cursor'],
    ['?q=%00', 'q'],
    ['?source=%00', 'source'],
    ['?colour=red', 'colour'],
    ['?severity=low&severity=high', 'severity'],
  ] as const) {
    await t.test(`${query} is 400 and names ${field}`, async () => {
      const { status, body } = await soc.call('GET', `/alerts${query}`, { as })
      assert.equal(status, 400)
      assert.ok(body.detail.startsWith(`${field}: `), body.detail)
    })
  }

  await t.test('a cursor of another sort, or one that was made up, is 400', async () => {
    const { next_cursor } = await list('?limit=1')
    const forged = [
      ['created_at', 'desc', '2026-13-01T00:00:00.000Z', posted[0]?.id],
      ['created_at', 'desc', '+275760-09-13T00:00:00.000Z', posted[0]?.id],
      ['created_at', 'desc', posted[0]?.created_at, "x' OR true"],
      ['created_at', 'desc', posted[0]?.created_at],
      ['created_at', 'desc', posted[0]?.created_at, posted[0]?.id, 1],
      {},
    ].map((parts) => `?cursor=${Buffer.from(JSON.stringify(parts)).toString('base64url')}`)
    for (const query of [`?sort=severity&cursor=${next_cursor}`, ...forged]) {
      for (const path of ['/alerts', '/cases']) {
        const { status, body } = await soc.call('GET', path + query, { as })
        assert.equal(status, 400)
        assert.ok(body.detail.startsWith('cursor: '), body.detail)
      }
    }
  })

  for (const sort of ['created_at', 'updated_at', 'last_seen_at', 'severity', 'occurrence_count']) {
    for (const order of ['asc', 'desc']) {
      await t.test(`pages by cursor are the whole list: ${sort} ${order}`, async () => {
        const whole = await list(`?sort=${sort}&order=${order}`)
        const paged: Alert[] = []
        let cursor = ''
        for (;;) {
          const page = await list(`?sort=${sort}&order=${order}&limit=2${cursor}`)
          paged.push(...page.items)
          assert.equal(page.has_more, page.next_cursor !== null)
          if (!page.has_more) break
          cursor = `&cursor=${page.next_cursor}`
        }
        assert.deepEqual(paged, whole.items)
      })
    }
  }

  await t.test('cursors do not drift while alerts come in; skip does', async () => {
    const before = await list('?limit=2')
    for (const title of ['late 1', 'late 2', 'late 3']) {
      await soc.call('POST', '/alerts', { as, body: { title, source: 'late' } })
    }
    assert.deepEqual(await titles(`?limit=2&cursor=${before.next_cursor}`), [logins, powershell])
    assert.deepEqual(await titles('?limit=2&skip=2'), ['late 1', scan])
  })

  await t.test('pages of a text are in the order of the list, however many it is in', async () => {
    await soc.query(`
      INSERT INTO alerts (id, title, source, severity, status, iocs, tags, mitre_techniques,
        dedup_hash, created_at)
      SELECT gen_random_uuid(), 'Kerberoasting ' || n, 'roast', (ARRAY['low','high'])[1 + n % 2],
        'new', '{}', '{}', '{}', 'roast-' || n, timestamptz '2026-02-01' + floor(n / 3) * interval '1 minute'
      FROM generate_series(1, 40) AS n`)
    const database = await openDatabase({ connection: soc.connection, log: silentLog })
    t.after(() => database.close())
    for (const [sort, order] of [
      ['created_at', 'desc'],
      ['created_at', 'asc'],
      ['severity', 'desc'],
    ] as const) {
      const { items } = await list(`?source=roast&sort=${sort}&order=${order}`)
      const expected = items.map(({ id }: Alert) => id)
      // All are sorted; more match than are sorted; so many are expected that none are.
      for (const most of [100, 39, 0]) {
        const found: string[] = []
        for (let cursor: string | null | undefined; cursor !== null; ) {
          const asked = { q: 'eroast', sort, order, limit: '9', ...(cursor && { cursor }) }
          const page = await listAlerts(database.kysely, AlertListQuery.parse(asked), most)
          found.push(...page.items.map(({ id }) => id))
          cursor = page.next_cursor
        }
        assert.deepEqual(found, expected, `${sort} ${order}, ${most} sorted`)
      }
      const skipped = await list(`?q=eroast&sort=${sort}&order=${order}&skip=38`)
      assert.deepEqual([skipped.items.length, skipped.total, skipped.has_more], [2, 40, false])
    }
    const behind = await list('?q=eroast&skip=40')
    assert.deepEqual([behind.items, behind.total], [[], 40])
    await soc.query("DELETE FROM alerts WHERE source = 'roast'")
  })

  await t.test('a page far down is the one that walking there comes to', async () => {
    await soc.query(`
      INSERT INTO alerts (id, title, source, severity, status, iocs, host, tags, mitre_techniques,
        dedup_hash, created_at)
      SELECT gen_random_uuid(), 'deep ' || n, 'deep', (ARRAY['low','high','critical'])[1 + n % 3],
        (ARRAY['new','closed'])[1 + n % 2], '{}', 'host-' || n % 2, '{}', '{}', 'deep-' || n,
        -- Some of the same moment, some hours without any.
        timestamptz '2026-03-01' + floor(n / 7) * interval '90 seconds' + floor(n / 900) * interval '5 hours'
      FROM generate_series(1, 4000) AS n`)
    const [, first, second] = await soc.query<{ hour: Date }>(
      "SELECT DISTINCT date_trunc('hour', created_at) AS hour FROM alerts WHERE source = 'deep' ORDER BY 1 DESC",
    )
    const inside = (hour: Date | undefined) =>
      new Date((hour?.getTime() ?? 0) + 25 * 60_000).toISOString()
    for (const query of [
      '',
      '&order=asc',
      '&sort=severity',
      '&severity=low',
      '&severity=low,high',
      '&status=new,closed',
      '&status=closed,new&severity=high,low',
      '&host=host-1',
      '&source=deep&severity=critical',
      `&to=${inside(first?.hour)}`,
      `&to=${second?.hour.toISOString()}&severity=low,high`,
      `&from=${inside(new Date('2026-03-01T00:00:00Z'))}&to=${inside(second?.hour)}`,
    ]) {
      const walked: string[] = []
      let cursor = ''
      do {
        const page = await list(`?limit=200${query}${cursor}`)
        walked.push(...page.items.map(({ id }: Alert) => id))
        cursor = page.next_cursor ? `&cursor=${page.next_cursor}` : ''
      } while (cursor)
      assert.ok(walked.length > 1_000, query)
      const [half, end] = [Math.floor(walked.length / 2), walked.length]
      for (const skip of [1_000, 1_111, half, half + 1, end - 9, end - 3, end, end + 5]) {
        const page = await list(`?limit=7&skip=${skip}${query}`)
        assert.deepEqual(
          page.items.map(({ id }: Alert) => id),
          walked.slice(skip, skip + 7),
          `skip ${skip} of ${query}`,
        )
        assert.equal(page.has_more, skip + 7 < walked.length)
      }
    }
    await soc.query("DELETE FROM alerts WHERE source = 'deep'")
  })

  await t.test('alerts of the same millisecond are neither repeated nor lost', async () => {
    await soc.query(
      "UPDATE alerts SET created_at = '2026-01-01T00:00:00Z' WHERE source <> 'nobody'",
    )
    const seen = new Set<string>()
    let cursor = ''
    for (let pages = 0; pages < 4; pages += 1) {
      const page = await list(`?limit=2${cursor}`)
      for (const { id } of page.items) seen.add(id)
      cursor = `&cursor=${page.next_cursor}`
    }
    assert.equal(seen.size, 8)
  })

  await t.test('total stays exact through creates, changes and folding', async () => {
    const { id } = (await list('?source=late')).items[0]
    await soc.call('PATCH', `/alerts/${id}`, { as, body: { status: 'closed', severity: 'high' } })
    const check = async () => {
      assert.equal((await list()).total, 8)
      assert.equal((await list('?source=late')).total, 3)
      assert.equal((await list('?status=closed')).total, 1)
      assert.equal((await list('?source=late&status=new&severity=medium')).total, 2)
      assert.equal((await list('?source=late&host=x')).total, 0)
    }
    await check()
    await soc.query('SELECT fold_alert_counts()')
    await check()
    const rows = await soc.query<{ amount: string }>('SELECT amount FROM alert_counts')
    assert.ok(rows.every(({ amount }) => Number(amount) > 0))
    const versions = () => soc.query('SELECT xmin, amount FROM alert_counts ORDER BY ctid')
    const before = await versions()
    await soc.query('SELECT fold_alert_counts()')
    assert.deepEqual(await versions(), before, 'what is folded is left as it is')
  })
})
