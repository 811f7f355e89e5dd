import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Server } from 'node:net'
import type { TestContext } from 'node:test'

/** The port of a server on this machine, which ends with the test. */
export async function listen(t: Pick<TestContext, 'after'>, server: Server): Promise<number> {
  t.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

/** The address of a web server on this machine, which ends with the test. */
export async function serve(
  t: Pick<TestContext, 'after'>,
  listener: RequestListener,
): Promise<string> {
  const server = createServer(listener)
  t.after(() => server.closeAllConnections())
  return `http://127.0.0.1:${await listen(t, server)}`
}
