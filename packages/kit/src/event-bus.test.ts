import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEventBus } from './event-bus.ts'

type Events = { volume: { volume: number }; stopped: object }

function setup() {
  const errors: unknown[] = []
  const bus = createEventBus<Events>((error) => errors.push(error))
  return { bus, errors }
}

test('every listener gets every event, in order', () => {
  const { bus } = setup()
  const seen: string[] = []
  bus.onAny(({ event }) => seen.push(`any ${event}`))
  bus.on('volume', ({ volume }) => seen.push(`volume ${volume}`))
  bus.emit('volume', { volume: 3 })
  bus.emit('stopped', {})
  assert.deepEqual(seen, ['any volume', 'volume 3', 'any stopped'])
})

test('a listener that has left hears nothing more', () => {
  const { bus } = setup()
  let heard = 0
  const leave = bus.on('stopped', () => {
    heard += 1
  })
  bus.emit('stopped', {})
  leave()
  bus.emit('stopped', {})
  assert.equal(heard, 1)
})

test('a listener that throws stops neither the others nor the one who emits', () => {
  const { bus, errors } = setup()
  let heard = false
  bus.onAny(() => {
    throw new Error('broken')
  })
  bus.onAny(() => {
    heard = true
  })
  bus.emit('stopped', {})
  assert.equal(heard, true)
  assert.equal((errors[0] as Error).message, 'broken')
})
