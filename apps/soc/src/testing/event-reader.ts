import type { TestContext } from 'node:test'
import { until } from './until.ts'

export type Received = { id: string; event: string; data: unknown }

/** Opens the event stream like a browser does and collects what arrives. */
export async function readEvents(
  t: Pick<TestContext, 'after'>,
  address: string,
  token: string,
  lastEventId?: string,
) {
  const abort = new AbortController()
  t.after(() => abort.abort())
  const reply = await fetch(`${address}/api/v1/events/stream`, {
    signal: abort.signal,
    headers: {
      authorization: `Bearer ${token}`,
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  })
  const received: Received[] = []
  const comments: string[] = []
  let isOpen = reply.status === 200

  const reading = (async () => {
    let text = ''
    for await (const chunk of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = (text + chunk).split('\n\n')
      text = blocks.pop() ?? ''
      for (const block of blocks) {
        if (block.startsWith(':')) comments.push(block)
        else received.push(parse(block))
      }
    }
  })()
    .catch(() => {})
    .finally(() => {
      isOpen = false
    })

  const stream = {
    status: reply.status,
    headers: reply.headers,
    received,
    comments,
    isOpen: () => isOpen,
    names: () => received.map(({ event }) => event),
    has: (count: number) => until(`${count} events`, () => received.length >= count),
    ended: () => until('the end of the stream', () => !isOpen),
    async close() {
      abort.abort()
      await reading
    },
  }
  if (isOpen) await until('the stream is ready', () => comments.length > 0 || received.length > 0)
  return stream
}

function parse(block: string): Received {
  const fields = Object.fromEntries(
    block.split('\n').map((line) => {
      const colon = line.indexOf(': ')
      return [line.slice(0, colon), line.slice(colon + 2)]
    }),
  )
  return { id: fields.id ?? '', event: fields.event ?? '', data: JSON.parse(fields.data ?? 'null') }
}
