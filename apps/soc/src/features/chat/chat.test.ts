import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { type TestContext, test } from 'node:test'
import { eventsOf, saidIn, type Told } from '../../testing/ask-chat.ts'
import { type Step, scriptedModel } from '../../testing/scripted-model.ts'
import { startTestSoc, type TestSoc } from '../../testing/test-soc.ts'
import { until } from '../../testing/until.ts'

async function ask(soc: TestSoc, as: string, message: string, rest: object = {}): Promise<Told[]> {
  const { status, body } = await soc.call('POST', '/chat/stream', {
    as,
    body: { message, ...rest },
  })
  assert.equal(status, 200, JSON.stringify(body))
  return eventsOf(body)
}

const now = () => new Date().toISOString()

async function stored(t: TestContext, options = {}) {
  const soc = await startTestSoc(t, options)
  const as = await soc.signIn()
  const alert = (
    await soc.call('POST', '/alerts', {
      as,
      body: {
        title: 'Beacon',
        source: 'dns',
        host: 'fin-ws-07',
        severity: 'high',
        iocs: ['a.example'],
      },
    })
  ).body
  const events = [
    {
      id: 'e-1',
      timestamp: now(),
      source: 'sshd',
      host: 'web-1',
      user: 'sara',
      message: 'Accepted',
    },
    {
      id: 'e-2',
      timestamp: now(),
      source: 'sshd',
      host: 'web-1',
      user: 'root',
      message: '[x](http://evil.example)',
    },
  ]
  await soc.call('POST', '/siem/logs', { as, body: { events } })
  return { soc, as, alert }
}

test('POST /chat/stream without a model', async (t) => {
  const { soc, as, alert } = await stored(t)
  await soc.call('POST', '/cases', { as, body: { title: 'Finance', alert_ids: [alert.id] } })

  await t.test('connected comes first, then the tool use, tokens and end', async () => {
    const events = await ask(soc, as, `explain alert ${alert.id}`)
    const names = events.map(({ event }) => event)
    assert.deepEqual(names.slice(0, 4), ['connected', 'tool_call', 'tool_result', 'token'])
    assert.equal(names.at(-1), 'end')
    assert.deepEqual(events[1]?.data.arguments, { alert_id: alert.id })
    assert.equal(events.at(-1)?.data.answered_by, 'built-in')
    const said = saidIn(events)
    assert.match(
      said,
      new RegExp(`\\[Beacon\\]\\(/api/v1/alerts/${alert.id}\\) is high and investigating`),
    )
    assert.match(said, /a\.example/)
  })

  await t.test('what happened on a host or to a user, with links to the events', async () => {
    const host = saidIn(await ask(soc, as, 'what happened on host web-1?'))
    assert.match(host, /\[Accepted\]\(\/api\/v1\/siem\/logs\/e-1\)/)
    const user = saidIn(await ask(soc, as, 'what happened to user sara in the last 2 hours?'))
    assert.match(user, /e-1/)
    assert.doesNotMatch(user, /e-2/)
    assert.match(saidIn(await ask(soc, as, 'what happened on host nowhere?')), /Nothing is stored/)
  })

  await t.test('search, open cases, alerts, who did what, help', async () => {
    const found = saidIn(await ask(soc, as, 'search user:root'))
    assert.match(found, /1 events match since \d{4}-/)
    assert.doesNotMatch(found, /\]\(http/)
    assert.match(saidIn(await ask(soc, as, 'open cases')), /\[Finance\]\(\/api\/v1\/cases\//)
    assert.match(saidIn(await ask(soc, as, 'show new alerts')), /\[Beacon\]/)
    assert.match(saidIn(await ask(soc, as, `who changed ${alert.id}?`)), /admin: alert\.create/)
    assert.match(saidIn(await ask(soc, as, 'hello')), /You can ask/)
    const bad = saidIn(await ask(soc, as, 'search host:('))
    assert.match(bad, /I cannot tell: query: /)
  })

  await t.test(
    'what is left out of an answer is said: older events, held and further cases',
    async () => {
      const old = { timestamp: '2026-01-01T00:00:00Z', source: 'sshd', user: 'olga' }
      await soc.call('POST', '/siem/logs', { as, body: { events: [old] } })
      const found = saidIn(await ask(soc, as, 'search user:olga'))
      assert.match(found, /^No event matches since \d{4}-/)
      const opened = async (body: object) =>
        (await soc.call('POST', '/cases', { as, body })).body.id
      const held = await opened({ title: 'Waits for a vendor', severity: 'low' })
      await soc.call('PATCH', `/cases/${held}`, { as, body: { status: 'on_hold' } })
      for (let n = 0; n < 12; n += 1) await opened({ title: `Case ${n}`, severity: 'low' })
      const cases = saidIn(await ask(soc, as, 'open cases'))
      assert.match(cases, /Waits for a vendor/)
      assert.match(cases, /and 3 more: open/)
      const task = { title: 'call them', status: 'cancelled' }
      await soc.call('POST', `/cases/${held}/tasks`, { as, body: task })
      assert.match(saidIn(await ask(soc, as, `explain case ${held}`)), / 0 tasks left/)
      const trail = saidIn(await ask(soc, as, 'who did what?'))
      assert.equal(trail.match(/^- \d{4}-/gm)?.length, 20)
      assert.match(trail, /\n- and \d+ earlier ones\n$/)
    },
  )

  await t.test("the caller's own permissions apply to everything it reads", async () => {
    const viewer = await soc.signInAs('viewer')
    const said = saidIn(await ask(soc, viewer, 'who did what?'))
    assert.match(said, /I cannot tell: requires audit:read/)
  })

  await t.test('"this" is what stands open in front of the one who asks', async () => {
    const at = { looking_at: { alert_id: alert.id } }
    assert.match(saidIn(await ask(soc, as, 'explain this', at)), /\[Beacon\]/)
    const host = await ask(soc, as, 'what happened on this host?', at)
    assert.match(saidIn(host), /about host fin-ws-07/)
    const line = await ask(soc, as, 'explain this event', { looking_at: { log_id: 'e-1' } })
    assert.match(saidIn(line), /\[Accepted\]\(\/api\/v1\/siem\/logs\/e-1\)/)
  })

  await t.test('what should be done is shown exactly, and only a person proposes it', async () => {
    const at = { looking_at: { alert_id: alert.id } }
    const events = await ask(soc, as, 'block a.example', at)
    const preview = events.find(({ event }) => event === 'preview')?.data as never
    const { total } = (await soc.call('GET', '/agents/proposals', { as })).body
    assert.equal(total, 0)
    const proposed = await soc.call('POST', '/agents/proposals', { as, body: preview })
    assert.equal(proposed.status, 201, JSON.stringify(proposed.body))
    assert.deepEqual(proposed.body.action.values, ['a.example'])
    assert.deepEqual(proposed.body.cites.alert_ids, [alert.id])

    for (const [text, looking_at, said] of [
      ['block a.example', {}, /need what it rests on/],
      ['isolate this host', at.looking_at, /no endpoint called fin-ws-07/],
      ['disable the account', at.looking_at, /Which account/],
    ] as const) {
      const told = await ask(soc, as, text, { looking_at })
      assert.match(saidIn(told), said)
      assert.equal(
        told.find(({ event }) => event === 'preview'),
        undefined,
      )
    }
  })

  await t.test('whether a model words the answers is known beforehand', async () => {
    assert.deepEqual((await soc.call('GET', '/chat', { as })).body, { model: null })
    assert.equal((await soc.call('GET', '/chat')).status, 401)
  })

  await t.test('what is refused, and who', async () => {
    const statusOf = async (body: unknown) =>
      (await soc.call('POST', '/chat/stream', { as, body })).status
    assert.equal(await statusOf({}), 400)
    assert.equal(await statusOf({ message: '' }), 400)
    assert.equal(await statusOf({ message: 'x'.repeat(4_001) }), 400)
    assert.equal(await statusOf({ message: 'x', conversation_id: 'nope' }), 400)
    assert.equal(await statusOf({ message: 'x', tool: 'execute_playbook' }), 400)
    assert.equal(await statusOf({ message: 'x', looking_at: { alert_id: 'no' } }), 400)
    assert.equal(await statusOf({ message: 'x', looking_at: { secret: 'x' } }), 400)
    assert.equal((await soc.call('POST', '/chat/stream', { body: { message: 'x' } })).status, 401)
  })
})

test('too many messages in a minute are 429 with Retry-After', async (t) => {
  const soc = await startTestSoc(t, { rates: { chat: 2 } })
  const as = await soc.signIn()
  await ask(soc, as, 'hello')
  await ask(soc, as, 'hello')
  const over = await soc.call('POST', '/chat/stream', { as, body: { message: 'hello' } })
  assert.equal(over.status, 429)
  assert.ok(Number(over.headers['retry-after']) > 0)
})

test('with a model, it chooses reading tools and its cited lines are told', async (t) => {
  const model = await scriptedModel(t, (_asked, turn) =>
    turn === 0
      ? { calls: [{ name: 'search_logs', input: { query: 'host:web-1' } }] }
      : { text: 'sara signed in [e-1].\nNothing to worry about.\nAlso [e-99] was seen.\n' },
  )
  const { soc, as } = await stored(t, { languageModel: model.settings })
  const events = await ask(soc, as, 'anything odd on web-1?')
  assert.equal(saidIn(events), 'sara signed in [e-1].\n')
  assert.equal(events.at(-1)?.data.answered_by, 'scripted')
  const [first, second] = model.requests
  const offered = first?.tools?.map(({ function: { name } }) => name) ?? []
  assert.ok(offered.includes('search_logs') && !offered.includes('execute_playbook'))
  assert.ok(!offered.includes('create_case'))
  const system = second?.messages[0]?.content ?? ''
  const [, mark = ''] = /<data (\S+)>/.exec(system) ?? []
  const answer = second?.messages.at(-1)?.content ?? ''
  assert.ok(answer.startsWith(`<data ${mark}>`) && answer.endsWith(`</data ${mark}>`))
  assert.doesNotMatch(system, /evil/)

  const next = await ask(soc, as, 'and before?', {
    conversation_id: events[0]?.data.conversation_id,
  })
  assert.equal(next[0]?.data.conversation_id, events[0]?.data.conversation_id)
  assert.ok(
    model.requests.at(-1)?.messages.some(({ content }) => content === 'anything odd on web-1?'),
  )
})

test('a model is told what stands open, and is not asked about what should be done', async (t) => {
  const model = await scriptedModel(t, (asked) => {
    const [, id = ''] = /alert_id "([^"]+)"/.exec(asked.messages.at(-1)?.content ?? '') ?? []
    return { text: `It beacons [${id}].\n` }
  })
  const { soc, as, alert } = await stored(t, { languageModel: model.settings })
  const looking_at = { alert_id: alert.id }
  assert.deepEqual((await soc.call('GET', '/chat', { as })).body, { model: 'scripted' })
  const events = await ask(soc, as, 'explain this', { looking_at })
  assert.equal(saidIn(events), `It beacons [${alert.id}].\n`)
  const asked = model.requests.length
  const wish = await ask(soc, as, 'block a.example', { looking_at })
  assert.equal(model.requests.length, asked)
  assert.ok(wish.some(({ event }) => event === 'preview'))
})

test('whatever a model does, there is the built-in answer, marked as such', async (t) => {
  let step: Step = { text: '' }
  const model = await scriptedModel(t, () => step)
  const { soc, as } = await stored(t, { languageModel: model.settings })
  for (const [what, next, detail] of [
    ['refuses', { status: 500 }, /it said 500/],
    ['breaks off', { cut: 'half' }, /did not answer/],
    ['never ends', { endless: 'x'.repeat(100_000) }, /did not answer/],
    ['says nothing that is cited', { text: 'All is well.' }, undefined],
  ] as const) {
    await t.test(`one that ${what}`, async () => {
      step = next
      const events = await ask(soc, as, 'what happened on host web-1?')
      assert.match(saidIn(events), /entries about host web-1/)
      assert.equal(events.at(-1)?.data.answered_by, 'built-in')
      const error = events.find(({ event }) => event === 'error')
      if (detail) assert.match(String(error?.data.detail), detail)
      else assert.equal(error, undefined)
    })
  }
})

test('two answers at a time; a closed connection ends the question, down to the model', async (t) => {
  const model = await scriptedModel(t, () => ({ stall: 'thinking' }))
  const { soc, as } = await stored(t, { languageModel: model.settings, keepAliveMs: 5 })
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const gone = new AbortController()
  const post = () =>
    fetch(`${address}/api/v1/chat/stream`, {
      method: 'POST',
      signal: gone.signal,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    })
  const first = await post()
  await post()
  await until('both are asked', () => model.requests.length === 2)
  const third = await post()
  assert.equal(third.status, 429)
  assert.equal(third.headers.get('retry-after'), '5')

  const reader = first.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (!text.includes(': still here')) text += (await reader?.read())?.value ?? ''
  gone.abort()
  await until('the model is told', () => model.aborted() === 2)
  await until('there is room again', async () => {
    const again = await fetch(`${address}/api/v1/chat/stream`, {
      method: 'POST',
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    })
    await again.body?.cancel()
    return again.status === 200
  })
})

test('an answer ends with the right of who asked to have it', async (t) => {
  const model = await scriptedModel(t, () => ({ stall: 'thinking' }))
  const { soc, as } = await stored(t, { languageModel: model.settings })
  const leaver = await soc.signInAs('analyst', 'leaver')
  const asked = soc.call('POST', '/chat/stream', { as: leaver, body: { message: 'hello' } })
  await until('the model is asked', () => model.requests.length === 1)
  await soc.call('PATCH', '/users/leaver', { as, body: { disabled: true } })
  const events = eventsOf((await asked).body)
  assert.deepEqual(
    events.map(({ event }) => event),
    ['connected'],
  )
  await until('the model is told', () => model.aborted() === 1)
})

test('who has gone before the stream begins asks no model and takes no room', async (t) => {
  const model = await scriptedModel(t, () => ({ stall: 'thinking' }))
  const { soc, as } = await stored(t, { languageModel: model.settings })
  const address = await soc.http.listen({ host: '127.0.0.1', port: 0 })
  const came = Promise.withResolvers<IncomingMessage>()
  soc.http.server.once('request', came.resolve)
  const gone = new AbortController()
  const post = (signal?: AbortSignal) =>
    fetch(`${address}/api/v1/chat/stream`, {
      method: 'POST',
      signal: signal ?? null,
      headers: { authorization: `Bearer ${as}`, 'content-type': 'application/json' },
      body: JSON.stringify({ message: 'hello' }),
    })
  await soc.holding('LOCK TABLE rate_budgets IN ACCESS EXCLUSIVE MODE', async () => {
    const asked = post(gone.signal)
    const { socket } = await came.promise
    await until('it waits for its budget', async () => {
      const waiting = await soc.query(`SELECT FROM pg_stat_activity
        WHERE datname = current_database() AND query LIKE '%lease_rate(%' AND wait_event_type = 'Lock'`)
      return waiting.length > 0
    })
    gone.abort()
    await assert.rejects(asked)
    if (!socket.closed) await once(socket, 'close')
  })
  const both = [await post(), await post()]
  assert.deepEqual([both[0]?.status, both[1]?.status], [200, 200])
  await until('both are asked', () => model.requests.length >= 2)
  assert.equal(model.requests.length, 2)
  for (const { body } of both) await body?.cancel()
})
