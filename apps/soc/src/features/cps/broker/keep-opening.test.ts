import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepOpening, whyNotOpen } from './keep-opening.ts'

test('why devices cannot connect is said once, and again when it changes', async () => {
  const said: string[] = []
  const answers = [
    inUse(),
    inUse(),
    inUse(),
    new Error('the database is away'),
    at('mqtts://here:8883'),
  ]
  let retry = () => {}
  const opening = keepOpening({
    async open() {
      const answer = answers.shift()
      if (!answer || answer instanceof Error) throw answer
      return answer
    },
    log: {
      error: (_about: object, text: string) => void said.push(text),
      info: (text: string) => void said.push(text),
    } as never,
    retryMs: 5_000,
    explain: (error) => whyNotOpen(error, 8883),
    later: (work) => {
      retry = work
      return setTimeout(() => {}, 0)
    },
  })
  assert.match(await opening.open(), /^not yet: another program uses port 8883/)
  while (answers.length > 0) {
    retry()
    await new Promise(setImmediate)
  }
  assert.equal(said.length, 3, said.join('\n'))
  assert.match(said[0] ?? '', /another program uses port 8883: end it, or set SOC_MQTT_PORT/)
  assert.match(said[1] ?? '', /the database is away/)
  assert.match(said[2] ?? '', /devices can connect now: mqtts:\/\/here:8883/)
})

test('what opens while it is stopped is closed again', async () => {
  const opens = Promise.withResolvers<ReturnType<typeof at>>()
  const opening = keepOpening({
    open: () => opens.promise,
    log: { error() {}, info() {} } as never,
    retryMs: 5_000,
    explain: String,
  })
  const opened = opening.open()
  const stopped = opening.stop()
  const broker = at('mqtts://here:8883')
  opens.resolve(broker)
  await opened
  await stopped
  assert.equal(broker.isOpen, false)
})

const at = (where: string) => ({
  where,
  isOpen: true,
  async stop() {
    this.isOpen = false
  },
})

const inUse = () =>
  Object.assign(new Error('listen EADDRINUSE: address already in use :::8883'), {
    code: 'EADDRINUSE',
  })
