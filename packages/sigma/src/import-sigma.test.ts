import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { DEFAULT_MAPPINGS } from './default-mappings.ts'
import { importSigma } from './import-sigma.ts'
import { importOne, logWith, matches, reasonFor, ruleWith } from './testing/sigma-fixture.ts'

const importText = (content: string) => importSigma([{ name: 'a.yml', content }])

test('what a rule says about itself is kept', () => {
  const { rule, source, file } = importOne(WHOAMI)
  assert.equal(file, 'test.yml')
  assert.equal(source, WHOAMI)
  assert.deepEqual(rule, {
    id: '7e0f3a52-1f0e-4c55-9f0e-2f6f1b1a0001',
    name: 'whoami_run',
    title: 'Whoami Was Run',
    status: 'test',
    level: 'medium',
    description: 'Somebody asks who they are.',
    author: 'A, B',
    date: '2026-01-02',
    modified: null,
    references: ['https://example.org/whoami'],
    tags: ['attack.discovery', 'attack.t1033', 'attack.t1059.001'],
    techniques: ['T1033', 'T1059.001'],
    falsepositives: ['Administrators'],
    fields: ['CommandLine'],
    logsource: { product: 'windows', category: 'process_creation' },
  })
})

const WHOAMI = `
title: Whoami Was Run
id: 7e0f3a52-1f0e-4c55-9f0e-2f6f1b1a0001
name: whoami_run
status: test
description: Somebody asks who they are.
author: [A, B]
date: 2026-01-02
references: https://example.org/whoami
tags: [attack.discovery, attack.t1033, attack.t1059.001]
logsource:
    product: windows
    category: process_creation
detection:
    selection:
        Image|endswith: '\\whoami.exe'
    filter:
        ParentImage|endswith: '\\explorer.exe'
    condition: selection and not filter
falsepositives: [Administrators]
fields: [CommandLine]
level: medium
`

describe('several documents in a file', () => {
  test('are rules of their own, each with its own YAML', () => {
    const file = `${ruleWith('s: {A: 1}\ncondition: s')}---${ruleWith('s: {A: 2}\ncondition: s')}`
    const { rules, skipped } = importText(file)
    assert.deepEqual(skipped, [])
    assert.deepEqual(
      rules.map((rule) => rule.file),
      ['a.yml (document 1)', 'a.yml (document 2)'],
    )
    const [, second] = rules
    assert.ok(second && !second.source.includes('A: 1'))
    assert.ok(matches(second.source, logWith({ A: 2 })))
  })

  test('share what stands under action global until a reset, and repeat the one before', () => {
    const { rules, skipped } = importText(`
action: global
title: Shared
logsource: {product: manara}
---
detection: {s: {A: 1}, condition: s}
---
action: repeat
detection: {s: {B: 2}}
---
action: reset
---
title: Alone
detection: {s: {A: 3}, condition: s}
`)
    assert.deepEqual(skipped, [{ file: 'a.yml (document 3)', reason: 'logsource is missing' }])
    assert.deepEqual(
      rules.map(({ rule }) => rule.title),
      ['Shared', 'Shared'],
    )
    const [first, repeated] = rules
    assert.ok(first && matches(first.source, logWith({ A: 1 })))
    assert.ok(repeated && matches(repeated.source, logWith({ A: 1, B: 2 })))
    assert.ok(!matches(repeated.source, logWith({ A: 1 })))
  })
})

describe('a file that cannot be taken is told with its reason, the others are imported', () => {
  const good = ruleWith('s: {A: 1}\ncondition: s')
  const cases: [content: string, reason: RegExp][] = [
    ['title: [', /not YAML/],
    ['a: 1\na: 2', /not YAML: Map keys must be unique/],
    ['just text', /a rule is a map/],
    ['', /has no rule/],
    ['action: twice', /action "twice" is none of/],
    [good.replace('title: Test', ''), /title is missing/],
    [good.replace(/detection:[\s\S]*/, ''), /detection is missing/],
    [good.replace('condition: s', ''), /condition is missing/],
    [`${good}level: severe`, /level severe is none of/],
    ['title: x\ncorrelation: {type: sum}', /correlation type sum is none of/],
  ]
  for (const [content, reason] of cases) {
    test(reason.source, () => {
      const { rules, skipped } = importSigma([
        { name: 'bad.yml', content },
        { name: 'good.yml', content: good },
      ])
      assert.equal(rules.length, 1)
      assert.equal(skipped.length, 1)
      assert.equal(skipped[0]?.file, 'bad.yml')
      assert.match(skipped[0]?.reason ?? '', reason)
    })
  }

  test('a second rule with the same id', () => {
    const { rules, skipped } = importSigma([
      { name: 'one.yml', content: WHOAMI },
      { name: 'two.yml', content: WHOAMI },
    ])
    assert.equal(rules.length, 1)
    assert.match(skipped[0]?.reason ?? '', /same id as one.yml/)
  })
})

describe('the modifier expand', () => {
  const rule = ruleWith("s:\n    Host|contains|expand: 'dc-%site%-x'\ncondition: s")

  test('takes the values it is given', () => {
    const options = 'placeholders: {site: [oslo, ber*n]}'
    assert.ok(matches(rule, logWith({ Host: 'DC-OSLO-X' }), options))
    assert.ok(matches(rule, logWith({ Host: 'dc-berlin-x' }), options))
    assert.ok(!matches(rule, logWith({ Host: 'dc-rome-x' }), options))
    assert.deepEqual(importOne(rule, options).notes, [])
  })

  test('a percent sign behind a backslash is one itself', () => {
    const escaped = ruleWith("s:\n    Path|expand: '\\%temp%site%\\%'\ncondition: s")
    const options = 'placeholders: {site: [oslo], temp: [x]}'
    assert.ok(matches(escaped, logWith({ Path: '%temposlo%' }), options))
    assert.deepEqual(importOne(escaped, options).notes, [])
  })

  test('without values stays visible in the query and is noted', () => {
    const { notes, query } = importOne(rule)
    assert.match(notes.join(), /%site% stands in the query as it is/)
    assert.ok(JSON.stringify(query).includes('dc-%site%-x'))
  })
})

describe('the logsource', () => {
  const rule = ruleWith('s: {Image: x}\ncondition: s', 'product: windows\n    category: image_load')
  const sysmon = { Channel: 'microsoft-windows-sysmon/operational', EventID: 7, Image: 'x' }

  test('says which events are looked at', () => {
    assert.ok(matches(rule, logWith(sysmon)))
    assert.ok(!matches(rule, logWith({ ...sysmon, EventID: 8 })))
    assert.ok(!matches(rule, logWith({ ...sysmon, Channel: 'Security' })))
    assert.ok(!matches(rule, logWith({ Image: 'x' })))
  })

  test('a provider has two names', () => {
    const provider = ruleWith(
      's: {Provider_Name: Eventlog}\ncondition: s',
      'product: windows\n    service: system',
    )
    assert.ok(matches(provider, logWith({ Channel: 'System', SourceName: 'eventlog' })))
    assert.ok(matches(provider, logWith({ Channel: 'System', Provider_Name: 'eventlog' })))
  })

  test('so has a machine: events have Computer, whatever the rule calls it', () => {
    for (const name of ['ComputerName', 'Hostname', 'Computer']) {
      const machine = ruleWith(
        `s: {${name}|startswith: DC-}\ncondition: s`,
        'product: windows\n    service: security',
      )
      const rule = importOne(machine)
      assert.ok(compilePredicate(rule.query)(logWith({ Channel: 'Security', Computer: 'dc-1' })))
      assert.equal(rule.nameOf(name), 'Computer')
    }
  })

  test('whatever else a field is called, the name that the rule has for it is looked at', () => {
    const missing = DEFAULT_MAPPINGS.flatMap(({ product, fields = {} }) =>
      Object.entries(fields)
        .filter(([name, names]) => !names.includes(name) && !names.includes(`fields.${name}`))
        .map(([name]) => `${product} ${name}`),
    )
    assert.deepEqual(missing, [])
  })

  test('without a known Windows channel looks at all of them and says so', () => {
    const unknown = ruleWith('s: {A: 1}\ncondition: s', 'product: windows\n    service: new-thing')
    assert.match(importOne(unknown).notes.join(), /every channel/)
    assert.ok(matches(unknown, logWith({ Channel: 'Anything', A: 1 })))
    assert.ok(!matches(unknown, logWith({ A: 1 })))
  })

  test('of anything else takes every event but those of Windows', () => {
    const okta = ruleWith('s: {eventType: x}\ncondition: s', 'product: okta\n    service: okta')
    assert.ok(matches(okta, logWith({ eventType: 'x' })))
    assert.ok(!matches(okta, logWith({ eventType: 'x', Channel: 'Security', EventID: 1 })))
  })

  test('webserver rules find the whole address of an access log', () => {
    const web = ruleWith(
      "s: {cs-uri-query|contains: '/shell'}\ncondition: s",
      'category: webserver',
    )
    assert.ok(matches(web, logWith({ 'c-uri': '/a/shell.php?x=1', 'cs-uri-query': 'x=1' })))
  })

  test('a proxy is no web server, and databases and applications are told by their names', () => {
    const rule = (logsource: string) => ruleWith('keywords: [drop]\ncondition: keywords', logsource)
    const proxy = rule('category: proxy')
    const web = rule('category: webserver')
    const database = rule('category: database')
    const django = rule('category: application\n    product: django')
    const shop = rule('category: application\n    product: my_shop')
    const found = (log: Parameters<typeof matches>[1]) =>
      [proxy, web, database, django].map((one) => matches(one, log))
    const from = (source: string, fields = {}) => ({ ...logWith(fields), source, message: 'drop' })
    assert.deepEqual(found(from('access', { 'c-uri': '/' })), [false, true, false, false])
    assert.deepEqual(found(from('squid', { 'c-uri': '/' })), [true, false, false, false])
    assert.deepEqual(found(from('dmz', { 'cs-categories': 'x' })), [true, false, false, false])
    assert.deepEqual(found(from('fortigate')), [false, false, false, false])
    const firewall = from('fortigate', { 'url.original': '/' })
    assert.deepEqual(found(firewall), [false, false, false, false])
    assert.deepEqual(found(from('nginx-error')), [false, true, false, false])
    assert.deepEqual(found(from('edge', { 'cs-method': 'GET' })), [false, true, false, false])
    assert.deepEqual(found(from('mysql-prod')), [false, false, true, false])
    assert.deepEqual(found(from('shop', { 'db.statement': 'x' })), [false, false, true, false])
    assert.deepEqual(found(from('shop-django')), [false, false, false, true])
    const isOfShop = (source: string) => matches(shop, from(source))
    assert.deepEqual(['MyShop', 'my-shop-2', 'orders-app', 'sshd', 'fortigate'].map(isOfShop), [
      ...[true, true, true, false, false],
    ])
  })

  test('which events its logsource takes is told with the rule', () => {
    const { at } = importOne(ruleWith('s: {A: 1}\ncondition: s', 'category: database'))
    assert.ok(compilePredicate(at)({ ...logWith({}), source: 'postgres' }))
    assert.ok(!compilePredicate(at)({ ...logWith({ A: 1 }), source: 'sshd' }))
  })

  test('Zeek events of another log are not taken', () => {
    const zeek = ruleWith('s: {query: x}\ncondition: s', 'product: zeek\n    service: dns')
    assert.ok(matches(zeek, logWith({ query: 'x', 'id.orig_h': '10.0.0.1' })))
    assert.ok(!matches(zeek, logWith({ query: 'x' })), 'any program may have a query')
    assert.ok(matches(zeek, logWith({ query: 'x', _path: 'dns' })))
    assert.ok(!matches(zeek, logWith({ query: 'x', _path: 'ldap' })))
  })

  test('a rule that only says what is fine does not take events that are not from Zeek', () => {
    const rdp = ruleWith(
      "s: {id.orig_h|cidr: '10.0.0.0/8'}\ncondition: not s",
      'product: zeek\n    service: rdp',
    )
    assert.ok(!matches(rdp, logWith({ message: 'anything' })))
    assert.ok(!matches(rdp, logWith({ 'id.orig_h': '10.0.0.1' })))
    const session = { 'id.orig_h': '198.51.100.7', cert_count: 0 }
    assert.ok(matches(rdp, logWith(session)))
    assert.ok(!matches(rdp, logWith({ 'id.orig_h': '198.51.100.7', conn_state: 'SF' })))
    assert.ok(!matches(rdp, logWith({ cookie: 'session=1', status: 200 })), 'of a web server')
    assert.ok(matches(rdp, logWith({ src_ip: '198.51.100.7', _path: 'rdp' })))
  })

  test('a field with the name of a column is the original one', () => {
    const zeek = ruleWith('s: {host: x}\ncondition: s', 'product: zeek\n    service: http')
    assert.ok(matches(zeek, logWith({ host: 'x' })))
    assert.ok(!matches(zeek, { ...logWith({}), host: 'x' }))
  })

  test('is needed', () => {
    const without = ruleWith('s: {A: 1}\ncondition: s').replace(/logsource:\n.*\n/, '')
    assert.equal(reasonFor(without), 'logsource is missing')
  })
})

describe('a correlation', () => {
  const BASE = ruleWith('s: {EventID: 4625}\ncondition: s').replace(
    'title: Test',
    'title: Base\nname: failed_logon',
  )
  const correlation = (body: string) => `${BASE}---\ntitle: Many\ncorrelation:\n${body}`
  const imported = (body: string) => {
    const { rules, skipped } = importText(correlation(body))
    const found = rules.find((rule) => rule.kind === 'correlation')
    if (found?.kind !== 'correlation') throw new Error(JSON.stringify(skipped))
    return found
  }

  test('of events by a group', () => {
    const {
      correlation: read,
      queries,
      notes,
    } = imported(`
    type: event_count
    rules: [failed_logon]
    group-by: [TargetUserName, host]
    timespan: 5m
    condition: {gte: 10}
`)
    assert.deepEqual(read, {
      type: 'event_count',
      rules: ['failed_logon'],
      groupBy: ['TargetUserName', 'host'],
      timespanMs: 300_000,
      count: { gte: 10 },
      valueField: null,
      aliases: {},
      generate: false,
    })
    assert.deepEqual(notes, [])
    const base = queries.failed_logon
    assert.ok(base && compilePredicate(base)(logWith({ EventID: 4625 })))
  })

  test('of different values', () => {
    const { correlation: read } = imported(`
    type: value_count
    rules: failed_logon
    group-by: [IpAddress]
    timespan: 1h
    condition: {field: TargetUserName, gt: 20, lt: 100}
`)
    assert.equal(read.valueField, 'TargetUserName')
    assert.deepEqual(read.count, { gt: 20, lt: 100 })
  })

  test('in order, with aliases, and a rule that is elsewhere', () => {
    const { correlation: read, notes } = imported(`
    type: temporal_ordered
    rules: [failed_logon, other_rule]
    group-by: [who]
    timespan: 1d
    generate: true
    aliases:
        who: {failed_logon: TargetUserName, other_rule: user}
`)
    assert.deepEqual(read.aliases, {
      who: { failed_logon: 'TargetUserName', other_rule: 'user' },
    })
    assert.deepEqual(read.groupBy, ['who'])
    assert.deepEqual(read.count, { gte: 2 })
    assert.ok(read.generate)
    assert.match(notes.join(), /other_rule is not among the imported ones/)
  })

  const MAPPED = 'mappings:\n    - product: windows\n      fields: {TargetUserName: [user.target]}'
  const mapped = (body: string) => {
    const content = correlation(body).replace('product: manara', 'product: windows')
    const { rules } = importSigma([
      { name: 'rules.yml', content },
      { name: 'sigma-mappings.yml', content: MAPPED },
    ])
    const found = rules.find((rule) => rule.kind === 'correlation')
    if (found?.kind !== 'correlation') throw new Error('no correlation')
    return found.correlation
  }

  test('temporal and named as all of its rules needs all of them', () => {
    const { correlation: read } = imported(`
    type: temporal
    rules: [failed_logon, other_rule]
    timespan: 1d
    condition: other_rule and failed_logon
`)
    assert.deepEqual(read.count, { gte: 2 })
  })

  test('groups and counts by the names that the events of its rules have', () => {
    const read = mapped(`
    type: value_count
    rules: [failed_logon]
    group-by: [TargetUserName]
    timespan: 5m
    condition: {field: TargetUserName, gte: 10}
`)
    assert.deepEqual(read.groupBy, ['user.target'])
    assert.equal(read.valueField, 'user.target')
  })

  test('an alias may call a rule by its name where the correlation has its id, or leave it out', () => {
    const id = '00000000-0000-4000-8000-000000000001'
    const rules = `${BASE}---\n${BASE.replace('name: failed_logon', `name: by_id\nid: ${id}`)}`
    const { rules: read } = importText(`${rules}---
title: Many
correlation:
    type: temporal
    rules: [failed_logon, ${id}]
    group-by: [who, where]
    timespan: 1d
    aliases: {who: {failed_logon: A, by_id: B}, where: {failed_logon: C}}
`)
    const found = read.find((rule) => rule.kind === 'correlation')
    assert.deepEqual(found?.correlation.aliases, {
      who: { failed_logon: 'A', [id]: 'B' },
      where: { failed_logon: 'C', [id]: 'where' },
    })
    assert.match(found?.notes.join() ?? '', /the alias where names no field of the rule 0000/)
  })

  test('a count of counts says what to write in place of it', () => {
    const count = 'type: event_count\n    timespan: 5m\n    condition: {gte: 9}'
    const inner = `title: In\nname: in\ncorrelation:\n    rules: failed_logon\n    ${count}\n`
    const outer = `title: Out\ncorrelation:\n    rules: in\n    ${count}\n`
    const { rules, skipped } = importText([BASE, inner, outer].join('---\n'))
    assert.equal(rules.length, 2)
    assert.match(
      skipped[0]?.reason ?? '',
      /rule in counts itself, and that again cannot be counted/,
    )
  })

  const bad: [body: string, reason: RegExp][] = [
    ['    type: event_count\n    timespan: 5m', /rules is missing/],
    [
      '    type: event_count\n    rules: [a]\n    timespan: soon\n    condition: {gte: 1}',
      /timespan "soon"/,
    ],
    [
      '    type: event_count\n    rules: [a]\n    timespan: 5m\n    condition: {about: 1}',
      /about: 1 is not understood/,
    ],
    [
      '    type: value_count\n    rules: [a]\n    timespan: 5m\n    condition: {gte: 1}',
      /needs one field/,
    ],
    [
      '    type: temporal\n    rules: [a]\n    timespan: 5m\n    condition: a and b',
      /no expression/,
    ],
  ]
  for (const [body, reason] of bad)
    test(`refused: ${reason.source}`, () =>
      assert.match(importText(correlation(body)).skipped[0]?.reason ?? '', reason))
})

test('the old count() with a timeframe is read as what it counts', () => {
  const { aggregation } = importOne(
    ruleWith(
      's: {A: 1}\ntimeframe: 10m\ncondition: s | count(user) by src_ip, B >= 5',
      'product: x',
    ),
  )
  assert.deepEqual(aggregation, {
    type: 'value_count',
    groupBy: ['src_ip', 'B'],
    timespanMs: 600_000,
    count: { gte: 5 },
    valueField: 'user',
    aliases: {},
    generate: false,
  })
})

describe('a rule that is made to take long is refused', () => {
  const cases: [what: string, content: string, reason: RegExp][] = [
    ['flow nested 20,000 deep', `a: ${'['.repeat(20_000)}`, /nested too deeply|not YAML/],
    [
      'lists nested deep',
      ruleWith(`sel: ${'['.repeat(40)}a${']'.repeat(40)}\ncondition: sel`),
      /16 lists in lists/,
    ],
    [
      'a long regex',
      ruleWith(`sel: {a|re: "${'['.repeat(100_000)}"}\ncondition: sel`),
      /more than 4096 characters/,
    ],
    // Matched by going back, this name would take longer than anybody waits.
    [
      'a name with many stars',
      ruleWith(`${'a'.repeat(200)}: {a: b}\ncondition: 1 of ${'a*'.repeat(60)}b`),
      /no selection is named like/,
    ],
  ]
  for (const [what, content, reason] of cases)
    test(what, () => assert.match(reasonFor(content), reason))
})
