import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:https'
import { test } from 'node:test'
import tls from 'node:tls'
import { listen } from '../testing/local-server.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { selfSigned } from '../testing/self-signed.ts'
import { keepCertificate } from './keep-certificate.ts'

test('a renewed certificate is served to new connections, without a restart and without ending old ones', async (t) => {
  const clock = createManualClock()
  const [first, second, third] = ['first', 'second', 'third'].map((name) => selfSigned([name]))
  const server = createServer(first ?? {})
  const port = await listen(t, server)
  const connect = async () => {
    const socket = tls.connect({ port, host: '127.0.0.1', rejectUnauthorized: false })
    t.after(() => socket.destroy())
    await once(socket, 'secureConnect')
    return { socket, name: socket.getPeerCertificate().subject.CN }
  }

  let next: { key: string; cert: string } | undefined
  let problem: string | undefined
  let told = () => {}
  const end = keepCertificate(server, {
    clock,
    renewed: () => next,
    onChange(listener) {
      told = listener
      return () => {}
    },
    reportProblem: (found) => {
      problem = found
    },
  })
  t.after(end)

  const old = await connect()
  assert.equal(old.name, 'first')
  next = second
  clock.advance(15_000)
  assert.equal((await connect()).name, 'second')
  assert.equal(old.socket.destroyed, false)
  next = third
  told()
  assert.equal((await connect()).name, 'third')

  next = { key: 'nonsense', cert: '' }
  told()
  assert.match(problem ?? '', /^the certificate could not be renewed: /)
  assert.equal((await connect()).name, 'third')
})
