import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { createHttp } from '@manara/kit/http'
import { whileConnected } from './while-connected.ts'

test('work stops when its caller goes away, and not when it is answered', async (t) => {
  const http = createHttp({ envelope: (detail) => ({ detail }), bodyLimit: 1024 })
  t.after(() => http.close())
  const begun = Promise.withResolvers<void>()
  const stopped = Promise.withResolvers<void>()
  let quickSignal: AbortSignal | undefined
  http.get('/slow', (_request, reply) =>
    whileConnected(reply, async (signal) => {
      signal.addEventListener('abort', () => stopped.resolve())
      begun.resolve()
      await pause(60_000, undefined, { signal })
      return {}
    }),
  )
  http.get('/quick', (_request, reply) =>
    whileConnected(reply, async (signal) => {
      quickSignal = signal
      return { done: true }
    }),
  )
  const address = await http.listen({ host: '127.0.0.1', port: 0 })

  const caller = new AbortController()
  const asked = fetch(`${address}/slow`, { signal: caller.signal })
  await begun.promise
  caller.abort()
  await assert.rejects(asked)
  await stopped.promise

  const answer = await fetch(`${address}/quick`)
  assert.deepEqual(await answer.json(), { done: true })
  assert.equal(quickSignal?.aborted, false)
})

test('work of a caller who went away before it began is stopped as it begins', async (t) => {
  const http = createHttp({ envelope: (detail) => ({ detail }), bodyLimit: 1024 })
  t.after(() => http.close())
  const come = Promise.withResolvers<void>()
  const gone = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<boolean>()
  http.addHook('onRequest', async (_request, reply) => {
    reply.raw.once('close', gone.resolve)
    come.resolve()
    await gone.promise
  })
  http.get('/late', (_request, reply) =>
    whileConnected(reply, async (signal) => {
      begun.resolve(signal.aborted)
      return {}
    }),
  )
  const address = await http.listen({ host: '127.0.0.1', port: 0 })
  const caller = new AbortController()
  const asked = fetch(`${address}/late`, { signal: caller.signal })
  await come.promise
  caller.abort()
  await assert.rejects(asked)
  assert.equal(await begun.promise, true)
})
