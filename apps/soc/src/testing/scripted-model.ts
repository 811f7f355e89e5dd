import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

type Message = { role: string; content: string | null }
type Asked = { messages: Message[]; tools?: { function: { name: string } }[]; model: string }

export type Step =
  | { text: string }
  | { calls: { name: string; input: unknown }[] }
  | { status: number }
  /** Begins to answer, then drops the connection. */
  | { cut: string }
  /** Begins to answer and never ends. */
  | { stall: string }
  /** As it is. */
  | { deltas: object[] }
  /** Again and again for as long as it is read. */
  | { endless: string }

/** An OpenAI-compatible endpoint that answers as the test says: arguments come in pieces. */
export async function scriptedModel(
  t: Pick<TestContext, 'after'>,
  script: (asked: Asked, turn: number) => Step,
) {
  const requests: Asked[] = []
  let aborted = 0
  // A connection that nobody uses for a while is not closed under who is about to use it again.
  const server = createServer({ keepAliveTimeout: 0 }, async (request, reply) => {
    const asked = JSON.parse((await request.toArray()).join('')) as Asked
    requests.push(asked)
    const step = script(asked, turnOf(asked))
    reply.on('close', () => {
      if (!reply.writableEnded) aborted += 1
    })
    if ('status' in step) {
      reply.writeHead(step.status, { 'content-type': 'application/json' })
      return reply.end(JSON.stringify({ error: { message: 'as scripted' } }))
    }
    reply.writeHead(200, { 'content-type': 'text/event-stream' })
    const send = (delta: object, finish: string | null = null) =>
      reply.write(
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 0, model: asked.model, choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`,
      )
    if ('stall' in step) return void send({ content: step.stall })
    if ('cut' in step) {
      send({ content: step.cut })
      return void setImmediate(() => reply.destroy())
    }
    if ('endless' in step) {
      const more = () => {
        while (!reply.destroyed && reply.write(step.endless));
        if (!reply.destroyed) reply.once('drain', more)
      }
      return more()
    }
    if ('text' in step) for (const word of step.text.split(/(?<=\s)/)) send({ content: word })
    else if ('deltas' in step) for (const delta of step.deltas) send(delta)
    else sendCalls(step.calls, send)
    send({}, 'calls' in step ? 'tool_calls' : 'stop')
    reply.end('data: [DONE]\n\n')
  })
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    settings: { url: `http://127.0.0.1:${port}/v1`, key: 'k', model: 'scripted' },
    requests,
    aborted: () => aborted,
  }
}

/** How often the model has spoken since the question. */
function turnOf({ messages }: Asked): number {
  const question = messages.findLastIndex(({ role }) => role === 'user')
  return messages.slice(question).filter(({ role }) => role === 'assistant').length
}

function sendCalls(calls: { name: string; input: unknown }[], send: (delta: object) => void) {
  for (const [index, { name, input }] of calls.entries()) {
    const start = { index, id: `c${index}`, type: 'function', function: { name, arguments: '' } }
    send({ tool_calls: [start] })
    for (const piece of JSON.stringify(input).match(/.{1,9}/gs) ?? []) {
      send({ tool_calls: [{ index, function: { arguments: piece } }] })
    }
  }
}
