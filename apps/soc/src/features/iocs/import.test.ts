import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Ioc } from '@manara/soc-contract/iocs'
import { startTestSoc } from '../../testing/test-soc.ts'

const IDENTITY = 'identity--0f1b3c5d-0000-4000-8000-000000000001'
const indicator = (pattern: string, more: object = {}) => ({
  type: 'indicator',
  spec_version: '2.1',
  id: 'indicator--0f1b3c5d-0000-4000-8000-000000000002',
  pattern_type: 'stix',
  pattern,
  valid_from: '2025-01-01T00:00:00Z',
  ...more,
})

const BUNDLE = {
  type: 'bundle',
  id: 'bundle--0f1b3c5d-0000-4000-8000-000000000003',
  objects: [
    { type: 'identity', id: IDENTITY, name: 'Harbour CERT' },
    indicator("[ipv4-addr:value = '203.0.113.7']", {
      confidence: 85,
      labels: ['c2'],
      created_by_ref: IDENTITY,
      object_marking_refs: ['marking-definition--f88d31f6-486f-44da-b317-01333bde0b82'],
    }),
    indicator(
      "[domain-name:value = 'a.example' OR domain-name:value IN ('b.example', 'c.example')]",
    ),
    indicator(
      `[file:hashes.MD5 = '${'cd'.repeat(16)}' AND file:hashes.'SHA-256' = '${'ab'.repeat(32)}']`,
    ),
    indicator("[url:value = 'http://evil.example/it\\'s']", { revoked: true }),
    indicator("[ipv4-addr:value ISSUBSET '198.51.100.0/24']"),
    indicator("[email-addr:value = 'a@b.example'] FOLLOWEDBY [url:value = 'http://x.example/']"),
    indicator("[domain-name:value LIKE '%.example']"),
    indicator("[process:name = 'x' AND ipv4-addr:value = '1.2.3.4']"),
    indicator('alert tcp any', { pattern_type: 'snort' }),
    indicator("[domain-name:value = 'not a domain']"),
    { type: 'vulnerability', id: 'vulnerability--1', name: 'CVE-2021-44228' },
    { type: 'malware', id: 'malware--1', name: 'x' },
  ],
}

const MISP = {
  response: [
    {
      Event: {
        info: 'Phishing of March',
        threat_level_id: '1',
        Orgc: { name: 'CIRCL' },
        Tag: [{ name: 'tlp:green' }, { name: 'phishing' }],
        Attribute: [
          { type: 'ip-dst', value: '203.0.113.7', to_ids: true, timestamp: '1700000000' },
          { type: 'ip-dst|port', value: '203.0.113.8|443', to_ids: true },
          { type: 'domain|ip', value: 'evil.example|203.0.113.9', to_ids: true },
          { type: 'filename|sha256', value: `a.exe|${'AB'.repeat(32)}`, to_ids: false },
          { type: 'mutex', value: 'Global\\x', to_ids: true },
          { type: 'ip-src', value: '198.51.100.0/24', to_ids: true },
          { type: 'imphash', value: 'CD'.repeat(16), to_ids: true },
        ],
        Object: [{ Attribute: [{ type: 'email-src', value: 'Phish@evil.example' }] }],
      },
    },
  ],
}

const CSV = `\ufeffvalue,type,score,tlp,tags,sources,valid_until,description
# a comment
203.0.113.7,ip,90,TLP:RED,c2|tor,feed,2999-01-01T00:00:00Z,"a ""quoted"", text
over two lines"
hxxp://evil[.]example/a,,,,,,,
EVIL.example.,hostname,,,,,,
evil.example,domain,,,again,feed-2,,

nonsense,,,,,,,
192.0.2.1,mutex,,,,,,
192.0.2.1,ip,high,,,,,
192.0.2.1,ip,,,,,2020-01-01T00:00:00Z,
`

test('POST /iocs/import', async (t) => {
  const soc = await startTestSoc(t)
  const as = await soc.signInAs('analyst')
  const load = (body: unknown, type = 'application/json') =>
    soc.call('POST', '/iocs/import', { as, headers: { 'content-type': type }, body })
  const byValue = async (value: string): Promise<Ioc> =>
    (await soc.call('GET', `/iocs?value=${encodeURIComponent(value)}`, { as })).body.items[0]

  await t.test('a STIX bundle with patterns', async () => {
    const { status, body } = await load(BUNDLE)
    assert.equal(status, 200)
    const { skipped, ignored, ...counts } = body
    assert.deepEqual(counts, {
      ...{ format: 'stix', imported: 9, updated: 0, skipped_count: 5 },
      ignored_count: 2,
    })
    assert.deepEqual(ignored, [
      { type: 'identity', count: 1, reason: 'neither an indicator nor a vulnerability' },
      { type: 'malware', count: 1, reason: 'neither an indicator nor a vulnerability' },
    ])
    assert.deepEqual(
      skipped.map(({ index }: { index: number }) => index),
      [6, 7, 8, 9, 10],
    )
    const reasons = skipped.map(({ reason }: { reason: string }) => reason)
    assert.match(reasons[0], /several things together \(FOLLOWEDBY\)/)
    assert.match(reasons[1], /compares with LIKE/)
    assert.match(reasons[2], /process:name is not supported/)
    assert.match(reasons[3], /snort is not supported/)
    assert.match(reasons[4], /value: is not a valid domain/)
    const address = await byValue('203.0.113.7')
    assert.deepEqual(
      [address.score, address.tlp, address.tags, address.sources],
      [85, 'amber', ['c2'], ['Harbour CERT']],
    )
    assert.equal(address.valid_from, '2025-01-01T00:00:00.000Z')
    assert.equal((await byValue("http://evil.example/it's")).revoked, true)
    assert.equal((await byValue('198.51.100.0/24')).type, 'cidr')
    assert.deepEqual((await byValue('c.example')).sources, ['analyst'])
  })

  await t.test('the same bundle again adds nothing', async () => {
    const { body } = await load(BUNDLE)
    assert.deepEqual([body.imported, body.updated], [0, 9])
  })

  await t.test('MISP JSON, and known ones gain its source', async () => {
    const { body } = await load(MISP)
    assert.deepEqual([body.format, body.imported, body.updated], ['misp', 5, 3])
    assert.deepEqual(body.skipped, [
      { index: 4, reason: 'attributes of the type mutex are not supported' },
    ])
    const address = await byValue('203.0.113.7')
    assert.deepEqual(address.sources.sort(), ['CIRCL', 'Harbour CERT'])
    assert.equal((await byValue(`imphash:${'cd'.repeat(16)}`)).type, 'imphash')
    const mail = await byValue('phish@evil.example')
    assert.deepEqual([mail.score, mail.tlp, mail.tags], [85, 'green', ['phishing']])
    assert.equal((await byValue('203.0.113.8')).description, 'Phishing of March')
  })

  await t.test('CSV with a heading; wrong rows are named with their place', async () => {
    const { body } = await load(CSV, 'text/csv')
    assert.deepEqual([body.format, body.imported, body.updated], ['csv', 1, 2])
    assert.deepEqual(body.skipped, [
      {
        index: 4,
        reason: 'value: is no address, network, domain, URL, hash, e-mail address or CVE',
      },
      { index: 5, reason: 'type: mutex is not supported' },
      { index: 6, reason: 'score: must be a number from 0 to 100' },
      { index: 7, reason: 'valid_until: is over' },
    ])
    const address = await byValue('203.0.113.7')
    assert.deepEqual([address.score, address.tlp], [90, 'red'])
    assert.equal(address.description, 'a "quoted", text\nover two lines')
    assert.deepEqual((await byValue('evil.example')).tags.sort(), ['again', 'phishing'])
  })

  await t.test('a bare list of values, however defanged', async () => {
    const { body } = await load('1.1.1[.]1\nhxxps://x[.]example/\n\n#done\n', 'text/plain')
    assert.deepEqual([body.imported, body.skipped], [2, []])
  })

  await t.test('words that mean something to a program are words in a file', async () => {
    const word = ['constructor', '__proto__', 'toString', 'hasOwnProperty']
    const rows = word.map((type) => `192.0.2.${type.length},${type}`)
    const csv = await load(`value,type,constructor\n${rows.join('\n')}\n`, 'text/csv')
    assert.deepEqual([csv.status, csv.body.imported, csv.body.skipped_count], [200, 0, 4])
    const Attribute = word.map((type) => ({ type, value: '192.0.2.1' }))
    const known = { type: 'ip-dst', value: '192.0.2.201' }
    const Event = { threat_level_id: 'constructor', Attribute: [...Attribute, known] }
    const misp = await load({ Event })
    assert.deepEqual([misp.status, misp.body.imported, misp.body.skipped_count], [200, 1, 4])
    assert.equal((await byValue('192.0.2.201')).score, 50)
  })

  await t.test('what no feed looks like imports nothing and breaks nothing', async () => {
    const deep = (open: string, close: string) => `${open.repeat(50_000)}1${close.repeat(50_000)}`
    const odd = { type: 'indicator', pattern_type: { toString: 5 }, pattern: 'x' }
    for (const [file, skipped] of [
      [`[{"Event": {}}, ${deep('[', ']')}]`, 0],
      [deep('{"response":', '}'), 0],
      [JSON.stringify({ type: 'bundle', objects: [odd] }), 1],
      [JSON.stringify({ Event: { Attribute: [{ type: { toString: 5 } }] } }), 1],
    ] as const) {
      const { status, body } = await load(file)
      assert.deepEqual([status, body.imported, body.skipped_count], [200, 0, skipped])
    }
  })

  await t.test('of several markings the strictest counts', async () => {
    const tagged = (value: string, ...names: string[]) => ({
      ...{ type: 'ip-dst', value },
      Tag: names.map((name) => ({ name })),
    })
    const Attribute = [tagged('192.0.2.211', 'tlp:red'), tagged('192.0.2.212', 'tlp:clear')]
    await load({ Event: { Tag: [{ name: 'tlp:green' }], Attribute } })
    const green = 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb'
    const red = 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1'
    const marked = indicator("[ipv4-addr:value = '192.0.2.213']", {
      object_marking_refs: [green, red],
    })
    await load({ type: 'bundle', objects: [marked] })
    const tlps = ['192.0.2.211', '192.0.2.212', '192.0.2.213'].map(
      async (value) => (await byValue(value)).tlp,
    )
    assert.deepEqual(await Promise.all(tlps), ['red', 'green', 'red'])
  })

  for (const [body, type, why] of [
    ['{"type":', 'application/json', /body: is not valid JSON/],
    [{ objects: [] }, 'application/json', /neither a STIX bundle/],
    [undefined, 'application/json', /body: send/],
  ] as const) {
    await t.test(`${JSON.stringify(body)} is 400`, async () => {
      const reply = await load(body, type)
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, why)
    })
  }

  await t.test(
    'a file in another encoding is 400: its words would be stored as others',
    async () => {
      const reply = await load(
        Buffer.from('value,description\n192.0.2.230,Caf\xe9\n', 'latin1'),
        'text/csv',
      )
      assert.equal(reply.status, 400)
      assert.match(reply.body.detail, /^body: is not valid UTF-8/)
    },
  )

  await t.test('what would match nearly everything is skipped and counted', async () => {
    const rows = ['value', '0.0.0.0/1', '192.0.2.221', 'com.au', '127.0.0.1'].join('\n')
    const { body } = await load(rows, 'text/csv')
    assert.deepEqual([body.imported, body.skipped_count], [1, 3])
    assert.deepEqual(body.skipped, [
      { index: 0, reason: 'value: is too wide: a network has at least /12, of IPv6 /20' },
      { index: 2, reason: 'value: is too wide: everybody has names below it' },
      { index: 3, reason: 'value: is the address of no other machine' },
    ])
  })

  await t.test('GET /iocs/export is a bundle that imports as the same elsewhere', async (t) => {
    const listed = async (on: typeof soc, token: string): Promise<Ioc[]> =>
      (await on.call('GET', '/iocs?limit=200&order=asc', { as: token })).body.items
    const { status, headers, body } = await soc.call('GET', '/iocs/export', { as })
    assert.equal(status, 200)
    assert.match(String(headers['content-type']), /^application\/stix\+json/)
    const elsewhere = await startTestSoc(t)
    const token = await elsewhere.signIn()
    const file = await elsewhere.call('POST', '/iocs/import', {
      as: token,
      headers: { 'content-type': 'application/stix+json' },
      body,
    })
    const ours = await listed(soc, as)
    assert.deepEqual([file.body.imported, file.body.skipped], [ours.length, []])
    const identity = ({ type, value, score, tlp, tags, revoked, valid_from, valid_until }: Ioc) =>
      [type, value, score, tlp, tags.join(), revoked, valid_from, valid_until].join(' ')
    assert.deepEqual(
      (await listed(elsewhere, token)).map(identity).sort(),
      ours.map(identity).sort(),
    )
  })

  await t.test('GET /iocs/export takes the filters of the list', async () => {
    const { body } = await soc.call('GET', '/iocs/export?type=email', { as })
    const { objects } = JSON.parse(body)
    assert.deepEqual(objects.filter(({ type }: Ioc) => type === ('indicator' as never)).length, 1)
    assert.equal((await soc.call('GET', '/iocs/export?type=x', { as })).status, 400)
  })
})
