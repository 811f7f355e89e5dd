import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createEventParser, createEventStream, type StreamEvent } from './event-stream.ts'

const TEXT =
  ': keep-alive\n\nid: 7\nevent: alert.created\ndata: {"a":1}\n\ndata: two\r\ndata: lines\r\n\r\nevent: none\n\n'

test('events come out the same, however the text is cut', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: TEXT.length - 1 })), (cuts) => {
      const heard: StreamEvent[] = []
      const parse = createEventParser((event) => heard.push(event))
      const places = [...new Set([0, ...cuts, TEXT.length])].sort((a, b) => a - b)
      places.reduce((from, to) => {
        parse(TEXT.slice(from, to))
        return to
      })
      assert.deepEqual(
        heard.map(({ event, data, id }) => [event, data, id]),
        [
          ['alert.created', '{"a":1}', '7'],
          ['message', 'two\nlines', '7'],
        ],
      )
    }),
  )
})

function link() {
  const opened: (string | null)[] = []
  const timers: (() => void)[] = []
  /** Those that wait for a word of the service. */
  const watches: (() => void)[] = []
  const heard: string[] = []
  const refused: number[] = []
  const replies: (() => Promise<Response>)[] = []
  const stream = createEventStream({
    open(lastEventId) {
      opened.push(lastEventId)
      return (replies.shift() ?? (() => Promise.reject(new Error('down'))))()
    },
    onEvent: ({ event, data }) => heard.push(event === 'reset' ? event : data),
    onRefused: (status) => refused.push(status),
    after(ms, then) {
      const some = ms > 20_000 ? watches : timers
      some.push(then)
      return () => {
        if (some.includes(then)) some.splice(some.indexOf(then), 1)
      }
    },
    random: () => 0.5,
  })
  return { stream, opened, timers, watches, heard, refused, replies }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('a stream that ends is opened again after the last event that was heard', async () => {
  const { stream, opened, timers, heard, replies } = link()
  replies.push(async () => new Response('id: 4\nevent: x\ndata: first\n\n'))
  stream.start()
  while (timers.length === 0) await settled()
  assert.deepEqual([heard, stream.status.value], [['first'], 'lost'])
  replies.push(async () => new Response('id: 5\nevent: x\ndata: second\n\n'))
  timers.shift()?.()
  while (timers.length === 0) await settled()
  assert.deepEqual(
    [heard, opened],
    [
      ['first', 'second'],
      [null, '4'],
    ],
  )
})

test('a session that is over is told and not tried again; a service that is away is', async () => {
  const { stream, timers, refused, replies } = link()
  replies.push(async () => new Response('{}', { status: 503 }))
  stream.start()
  while (timers.length === 0) await settled()
  replies.push(async () => new Response('{}', { status: 401 }))
  timers.shift()?.()
  while (refused.length === 0) await settled()
  assert.deepEqual([refused, timers.length], [[401], 0])
})

test('who comes back without an event to go on from is told to read everything anew, once', async () => {
  const { stream, opened, timers, heard, replies } = link()
  replies.push(async () => new Response(': nothing yet\n\n'))
  stream.start()
  while (timers.length === 0) await settled()
  assert.deepEqual(heard, [], 'what the first try missed is known when the next one listens')
  const body = 'id: 7\nevent: ready\ndata: ready\n\nid: 8\nevent: x\ndata: eighth\n\n'
  replies.push(async () => new Response(body))
  timers.shift()?.()
  while (timers.length === 0) await settled()
  assert.deepEqual(heard, ['reset', 'ready', 'eighth'])
  replies.push(async () => new Response('id: 9\nevent: x\ndata: ninth\n\n'))
  timers.shift()?.()
  while (timers.length === 0) await settled()
  assert.deepEqual(opened, [null, null, '8'])
  assert.deepEqual(heard, ['reset', 'ready', 'eighth', 'ninth'])
})

test('a line on which nothing comes any more, not even that it is there, is opened anew', async () => {
  const { stream, opened, timers, watches, heard, replies } = link()
  const service = new TransformStream<Uint8Array, Uint8Array>()
  const writer = service.writable.getWriter()
  const say = (text: string) => writer.write(new TextEncoder().encode(text))
  replies.push(async () => new Response(service.readable))
  stream.start()
  await say('id: 4\nevent: x\ndata: first\n\n')
  while (heard.length === 0) await settled()
  const [before] = watches
  await say(': keep-alive\n\n')
  while (watches[0] === before) await settled()
  assert.deepEqual([stream.status.value, watches.length, opened], ['live', 1, [null]])
  watches[0]?.()
  assert.equal(stream.status.value, 'lost')
  replies.push(async () => new Response('id: 5\nevent: x\ndata: second\n\n'))
  timers.shift()?.()
  while (timers.length === 0) await settled()
  assert.deepEqual([heard, opened, watches.length], [['first', 'second'], [null, '4'], 0])
})
