import assert from 'node:assert/strict'
import { test } from 'node:test'
import { draftRules } from './draft-rules.ts'

const rule = (name: string, more = '') => `title: ${name}
id: ${name}
name: ${name}
logsource: { category: webserver }
detection: { selection: { cs-method: ${name} }, condition: selection }
level: high
tags: [attack.t1059.001, attack.execution, attack.t9999]
${more}`

const correlation = (body: string) => `title: Together
id: together
level: critical
correlation:
${body.replaceAll(/^/gm, '  ')}`

const draft = (...contents: string[]) =>
  draftRules(
    contents.map((content, index) => ({ name: `${index}.yml`, content })),
    true,
    0,
  )

test('a Sigma rule keeps its title, level, techniques and text', () => {
  const content = rule('get')
  const { drafts, skipped } = draft(content)
  assert.deepEqual(skipped, [])
  const [one] = drafts
  assert.equal(one?.external_id, 'get')
  assert.equal(one?.sigma_source, content)
  assert.equal(one?.rule.name, 'get')
  assert.equal(one?.rule.alert_severity, 'high')
  assert.deepEqual(one?.rule.mitre_techniques, ['T1059.001'])
  const [sees, left] = one?.warnings ?? []
  assert.match(sees ?? '', /^looks at events whose source or process is named like a web server/)
  assert.equal(left, 'T9999 is no technique of ATT&CK: left out')
  assert.ok(one?.rule.tags.includes('attack.execution'))
})

test('an event_count correlation is a threshold, and its rule alone raises nothing', () => {
  const { drafts } = draft(
    rule('get'),
    correlation(
      'type: event_count\nrules: get\ngroup-by: [src_ip]\ntimespan: 5m\ncondition: { gt: 9 }',
    ),
  )
  const [single, together] = drafts.map((one) => one.rule)
  assert.equal(single?.enabled, false)
  assert.equal(together?.enabled, true)
  assert.equal(together?.kind, 'threshold')
  assert.deepEqual(together?.threshold, {
    count: 10,
    group_by: ['src_ip'],
    window_seconds: 300,
    distinct_field: null,
  })
})

test('a value_count correlation counts the values of its field', () => {
  const { drafts } = draft(
    rule('get'),
    correlation('type: value_count\nrules: get\ntimespan: 1h\ncondition: { gte: 5, field: user }'),
  )
  assert.deepEqual(drafts[1]?.rule.threshold, {
    count: 5,
    group_by: [],
    window_seconds: 3600,
    distinct_field: 'user',
  })
})

test('a count of one is every event that has what is counted and what it is grouped by', () => {
  const one = 'group-by: [src]\ntimespan: 1h\ncondition: { gte: 1, field: user }'
  const { drafts } = draft(rule('get'), correlation(`type: value_count\nrules: get\n${one}`))
  const [single, together] = drafts.map((one) => one.rule)
  assert.equal(together?.kind, 'query')
  assert.equal(together?.query, `${single?.query} AND src:* AND user:*`)
})

test('a temporal correlation is a sequence, with the names each rule has for the group', () => {
  const { drafts } = draft(
    rule('get'),
    rule('post'),
    correlation(`type: temporal_ordered
rules: [get, post]
group-by: [who]
timespan: 1m
aliases: { who: { get: src_ip, post: dst_ip } }
generate: true`),
  )
  const [single, , together] = drafts.map((one) => one.rule)
  assert.equal(single?.enabled, true)
  assert.equal(together?.sequence?.is_ordered, true)
  assert.deepEqual(
    together?.sequence?.steps.map((step) => step.group_by),
    [['src_ip'], ['dst_ip']],
  )
})

test('rules that are there for a correlation are off unless it says generate, anywhere', () => {
  const count = 'type: event_count\nrules: get\ntimespan: 5m\ncondition: { gte: 9 }'
  const isOn = (...contents: string[]) => draft(...contents).drafts.map((one) => one.rule.enabled)
  assert.deepEqual(isOn(rule('get'), correlation(count)), [false, true])
  assert.deepEqual(isOn(rule('get'), correlation(`${count}\ngenerate: true`)), [true, true])
  assert.deepEqual(isOn(rule('get'), `${correlation(count)}\ngenerate: true`), [true, true])
})

const COUNT = 'type: event_count\nrules: get\ngroup-by: src_ip\ntimespan: 5m\ncondition:'
const many = (condition: string) =>
  `${correlation(`${COUNT} ${condition}`)}\nname: many`.replace('id: together', 'id: many')
const states = (...contents: string[]) =>
  draft(...contents).drafts.map(({ external_id, rule: { enabled } }) => [external_id, enabled])

test('many of one and then another is a sequence whose step wants so many', () => {
  const chain = correlation(
    'type: temporal_ordered\nrules: [many, post]\ngroup-by: [user]\ntimespan: 1h',
  )
  const files = [chain, many('{ gte: 9 }'), rule('get'), rule('post')]
  const { drafts, skipped } = draft(...files)
  assert.deepEqual(skipped, [])
  const [together, , get, post] = drafts.map((one) => one.rule)
  const [first, second] = together?.sequence?.steps ?? []
  assert.equal(together?.sequence?.window_seconds, 3_600)
  assert.deepEqual(first, {
    query: get?.query,
    group_by: ['user'],
    threshold: { count: 9, group_by: ['src_ip'], window_seconds: 300, distinct_field: null },
  })
  assert.deepEqual(second, { query: post?.query, group_by: ['user'] })
  const off = ['many', 'get', 'post'].map((id) => [id, false])
  assert.deepEqual(states(...files), [['together', true], ...off])
  const [, all] = states(`${chain}\ngenerate: true`, many('{ gte: 9 }'), rule('get'), rule('post'))
  assert.deepEqual(all, ['many', true])
})

test('an old count is a step of a correlation too', () => {
  const chain = correlation('type: temporal_ordered\nrules: [get, post]\ntimespan: 1h')
  const old = rule('get').replace(
    'condition: selection',
    "timeframe: 5m, condition: 'selection | count() by user > 4'",
  )
  const { drafts, skipped } = draft(chain, old, rule('post'))
  assert.deepEqual(skipped, [])
  assert.equal(drafts[0]?.rule.sequence?.steps[0]?.threshold?.count, 5)
})

test('what is counted again is refused, and what it names stays on by itself', () => {
  const again = correlation('type: event_count\nrules: many\ntimespan: 5m\ncondition: { gte: 2 }')
  const files = [again, many('{ gte: 9 }'), rule('get')]
  assert.match(draft(...files).skipped[0]?.reason ?? '', /count the rules of many, or name it/)
  assert.deepEqual(states(...files), [
    ['many', true],
    ['get', false],
  ])
  const some = correlation(
    'type: temporal\nrules: [many, get, post]\ntimespan: 5m\ncondition: { gte: 2 }',
  )
  const kept = [some, many('{ gte: 9 }'), rule('get'), rule('post')]
  assert.match(draft(...kept).skipped[0]?.reason ?? '', /write one for each set of rules/)
  assert.deepEqual(states(...kept)[0], ['many', true])
})

test('what counts stays on where the correlation that takes it cannot be stored', () => {
  const chain = correlation('type: temporal\nrules: [many, post]\ntimespan: 60d')
  const files = [chain, many('{ gte: 9 }'), rule('get'), rule('post')]
  assert.match(draft(...files).skipped[0]?.reason ?? '', /^sequence.window_seconds/)
  assert.deepEqual(states(...files)[0], ['many', true])
})

test('a rule whose correlation is not there is off and says that nothing counts it', () => {
  const notes = (...contents: string[]) => draft(...contents).drafts.map(({ warnings }) => warnings)
  const chain = (condition: string) =>
    correlation(`type: temporal\nrules: [get, post]\ntimespan: 5m\ncondition: ${condition}`)
  const nothing = (all: string[] = []) => all.filter((note) => note.includes('nothing counts'))
  const [kept] = notes(rule('get'), many('{ gte: 9 }'))
  assert.deepEqual(nothing(kept), [])
  const refused = [many('{ lt: 9 }'), many('{ gte: 9 }').replace('5m', '60d')]
  for (const correlation of [
    ...refused,
    many('{ gte: 9 }').replace('rules: get', 'rules: [get, nowhere]'),
    many('{ gte: 9 }').replace('5m', '5y'),
    many('{ gte: 9 }').replace('event_count', 'value_sum'),
    ...['get and not post', 'get or post'].map((condition) => chain(condition)),
  ]) {
    const [one] = notes(rule('get'), correlation)
    assert.match(nothing(one)[0] ?? '', /^is off: .+Switch it on/)
  }
  const [generated] = notes(rule('get'), chain('get or post').concat('\ngenerate: true'))
  assert.deepEqual(nothing(generated), [])
  const [{ reason } = { reason: '' }] = draft(rule('get'), chain('get and not post')).skipped
  assert.match(
    reason,
    /"get and not post" is no expression that is understood: write "get and post"/,
  )
  assert.deepEqual(states(rule('get'), many('{ lt: 9 }')), [['get', false]])
})

test('a correlation of one that is refused is refused too', () => {
  const again = correlation(
    'type: event_count\nrules: many\ntimespan: 5m\ncondition: { gte: 2 }',
  ).replace('id: together', 'id: again\nname: again')
  const chain = correlation('type: temporal_ordered\nrules: [again, post]\ntimespan: 1h')
  const { drafts, skipped } = draft(chain, many('{ gte: 9 }'), again, rule('get'), rule('post'))
  assert.deepEqual(
    drafts.map(({ external_id }) => external_id),
    ['many', 'get', 'post'],
  )
  assert.match(skipped.at(-1)?.reason ?? '', /needs the rule again/)
})

test('a range, or an exact number, is told when its lower limit is reached', () => {
  const limited = (condition: string) => {
    const { drafts, skipped } = draft(many(condition), rule('get'))
    const [one] = drafts
    return one?.external_id === 'many'
      ? [
          one.rule.threshold?.count,
          one.warnings.some((note) => /upper limit is left out/.test(note)),
        ]
      : skipped[0]?.reason
  }
  assert.deepEqual(limited('{ gt: 100, lte: 200 }'), [101, true])
  assert.deepEqual(limited('{ gte: 5, lt: 20 }'), [5, true])
  assert.deepEqual(limited('{ eq: 4 }'), [4, true])
  assert.deepEqual(limited('{ gte: 5 }'), [5, false])
  for (const none of ['{ lt: 9 }', '{ lte: 9 }', '{ eq: 0 }', '{ neq: 3 }', '{ gte: 2, neq: 3 }'])
    assert.match(String(limited(none)), /needs a lower limit \(gt or gte\)/)
})

test('what cannot be said without changing it is skipped with the reason', () => {
  const reasons = (...contents: string[]) => draft(...contents).skipped.map(({ reason }) => reason)
  const [alone] = reasons(
    correlation('type: event_count\nrules: nowhere\ntimespan: 5m\ncondition: { gt: 9 }'),
  )
  assert.match(alone ?? '', /needs the rule nowhere: import both together/)
  const [few] = reasons(
    rule('get'),
    correlation('type: event_count\nrules: get\ntimespan: 5m\ncondition: { lt: 9 }'),
  )
  assert.match(few ?? '', /needs a lower limit/)
  const [differently] = reasons(
    rule('get'),
    rule('post'),
    correlation(`type: value_count
rules: [get, post]
timespan: 5m
aliases: { who: { get: cs-username, post: user } }
condition: { gte: 9, field: who }`),
  )
  assert.match(differently ?? '', /several rules whose groups or values are different fields/)
  const [broken] = reasons('title: [')
  assert.match(broken ?? '', /not YAML/)
  const [twice] = reasons(rule('get'), rule('get'))
  assert.match(twice ?? '', /same id as 0\.yml/)
  const nameless = rule('get').replace('id: get\n', '')
  assert.deepEqual(reasons(nameless, nameless), ['is the same as 0.yml'])
})

test('a rule in our own words is taken as it would be posted', () => {
  const own = `id: own-1
name: Own
query: event.action:ssh_login
kind: threshold
threshold: { count: 3, window_seconds: 60 }
tests: { match: [], ignore: [] }`
  const { drafts, skipped } = draft(own)
  assert.deepEqual(skipped, [])
  assert.equal(drafts[0]?.external_id, 'own-1')
  assert.equal(drafts[0]?.sigma_source, null)
  assert.equal(drafts[0]?.rule.threshold?.count, 3)
})

test('a rule in our own words that could not be saved is skipped with the reason', () => {
  const reasonOf = (content: string) => draft(content).skipped[0]?.reason ?? ''
  assert.match(reasonOf('name: a\nquery: b'), /id is missing/)
  assert.match(reasonOf('id: a\nname: a\nquery: (b'), /query: .*column 1/)
  assert.match(reasonOf('id: a\nname: a\nquery: b\nkind: threshold'), /threshold/)
  assert.match(reasonOf('id: a\nname: a\nquery: b\nseverity: high'), /severity/)
  assert.match(reasonOf('id: a\nname: a\nquery: b\nmitre_techniques: [T9999]'), /T9999/)
})
