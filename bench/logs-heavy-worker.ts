import { parentPort, workerData } from 'node:worker_threads'

/** Who asks what, again and again and without a pause, until told to stop. */
export type HeavyAsked = { address: string; asked: { key: string; place: string }[] }

const { address, asked } = workerData as HeavyAsked
const stop = new AbortController()
parentPort?.once('message', () => stop.abort())

async function askOn({ key, place }: HeavyAsked['asked'][number]): Promise<number> {
  let bytes = 0
  while (!stop.signal.aborted) {
    try {
      const headers = { 'x-api-key': key }
      const reply = await fetch(`${address}${place}`, { headers, signal: stop.signal })
      for await (const chunk of reply.body ?? []) bytes += chunk.length
    } catch {
      // It was stopped.
    }
  }
  return bytes
}

const bytes = await Promise.all(asked.map(askOn))
parentPort?.postMessage(bytes)
parentPort?.close()
