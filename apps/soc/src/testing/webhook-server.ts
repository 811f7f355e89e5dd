import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export type Received = { path: string; headers: IncomingMessage['headers']; body: string }

/** Counts what arrives; `answer` decides what each gets, 200 by itself. */
export async function startWebhookServer(
  t: Pick<TestContext, 'after'>,
  answer: (reply: ServerResponse, received: Received) => void = (reply) => reply.end('{"ok":true}'),
) {
  const received: Received[] = []
  const server = createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += chunk
    const one = { path: request.url ?? '', headers: request.headers, body }
    received.push(one)
    answer(reply, one)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { received, url: `http://127.0.0.1:${port}/hook`, port }
}

export const WEBHOOKS_ALLOWED = {
  smtpUrl: undefined,
  smtpPassword: undefined,
  smtpFrom: 'soc@test',
  webhookAllow: ['127.0.0.1'],
}
