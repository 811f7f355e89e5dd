import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * For a program that must know its port beforehand, or keeps it while it is away. Below those that
 * the system hands out: nobody who asks for any port gets it meanwhile.
 */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000)
  const server = createServer()
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening')
  } catch {
    return freePort()
  }
  await once(server.close(), 'close')
  return port
}
