import assert from 'node:assert/strict'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { hangUp } from './hang-up.ts'

test('who was refused and keeps its end open loses the connection, with the last word read', async (t) => {
  const gone = Promise.withResolvers<void>()
  const server = net.createServer({ allowHalfOpen: true }, (socket) => {
    socket.once('close', () => gone.resolve())
    hangUp(socket, 'no', 10)
  })
  server.listen(0, '127.0.0.1')
  t.after(() => server.close())
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const caller = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  t.after(() => caller.destroy())
  caller.on('error', () => {})
  const [word] = await once(caller, 'data')
  assert.equal(String(word), 'no')
  await gone.promise
})
