import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogger } from './logging.ts'

function setup(pretty = false) {
  const lines: string[] = []
  const log = createLogger({
    service: 'test',
    level: 'debug',
    pretty,
    write: (line) => lines.push(line),
  })
  return { log, lines }
}

test('a line is JSON with time, service and message', () => {
  const { log, lines } = setup()
  log.info({ port: 80 }, 'listening')
  const line = JSON.parse(lines[0] ?? '')
  assert.equal(line.msg, 'listening')
  assert.equal(line.service, 'test')
  assert.equal(line.port, 80)
  assert.ok(Date.parse(line.time))
})

test('on a terminal a line is readable', () => {
  const { log, lines } = setup(true)
  log.warn('the card is full')
  assert.match(lines[0] ?? '', /WARN.*the card is full/)
})

const SECRET = 'correct-horse-battery'
const LEAKS: [what: string, write: (log: ReturnType<typeof setup>['log']) => void][] = [
  ['a password field', (log) => log.info({ password: SECRET })],
  ['a nested field', (log) => log.info({ body: { user: { password: SECRET } } })],
  ['a header', (log) => log.info({ headers: { authorization: `Bearer ${SECRET}` } })],
  ['an API key', (log) => log.info({ headers: { 'x-api-key': SECRET } })],
  ['a bearer token in a message', (log) => log.info(`sent Bearer ${SECRET}`)],
  ['a query', (log) => log.info({ url: `/x?token=${SECRET}&a=1` })],
  ['a database address', (log) => log.info(`postgres://soc:${SECRET}@db/soc`)],
  ['a registered value anywhere', (log) => log.info({ text: `it is ${SECRET}!` })],
  ['an error message', (log) => log.error({ err: new Error(`cannot use ${SECRET}`) })],
]

for (const [what, write] of LEAKS) {
  for (const pretty of [false, true]) {
    test(`a secret in ${what} does not come out${pretty ? ' on a terminal' : ''}`, () => {
      const { log, lines } = setup(pretty)
      if (/registered|error/.test(what)) log.hideSecret(SECRET)
      write(log)
      assert.equal(lines.length, 1)
      assert.ok(!lines[0]?.includes(SECRET), lines[0])
    })
  }
}

test('what is no secret stays whole', () => {
  const { log, lines } = setup()
  log.info({ url: '/alerts?limit=5', tokens: 3 }, 'Basic facts')
  assert.match(lines[0] ?? '', /limit=5.*"tokens":3.*Basic facts/)
})
