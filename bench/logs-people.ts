import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { createCaller } from './load.ts'
import type { HeavyAsked } from './logs-heavy-worker.ts'
import { HOUR_MS, median, TERM } from './logs-questions.ts'
import { createApi } from './logs-service.ts'
import type { SocService } from './soc-service.ts'

const PEOPLE = 100
const HEAVY = 10
const SECONDS = 20
/** Between an answer and the next question of a person. */
const THINKING_MS = 3_000

export type Fairness = {
  alone: number
  beside: number
  aloneP99: number
  besideP99: number
  /** Beside heavy questions of all kinds that begin at the same moment; what exports got meanwhile. */
  mixedP99?: number
  exportedMb?: number
}

/**
 * A hundred people, each with an account: most ask light questions and think, some ask heavy ones
 * without a pause. How long the light ones wait, alone and beside the heavy ones.
 */
export async function measurePeople(
  soc: SocService,
  end: number,
  print: (line: string) => void,
): Promise<Fairness> {
  const keys = await createPeople(soc)
  print(`… ${PEOPLE} people for ${SECONDS} s, then ${HEAVY} of them with heavy questions`)
  const light = keys.slice(HEAVY)
  const alone = await askLight(soc, light, end)
  const counts = keys.slice(0, HEAVY).map((key) => ({ key, place: `/siem/count?q=${NOWHERE}` }))
  const { times: beside } = await besideHeavy(soc, counts, () => askLight(soc, light, end))
  const mixed = await besideHeavy(soc, mixedOf(keys), () => askLight(soc, light, end))
  return {
    mixedP99: p99(mixed.times),
    exportedMb: mixed.bytes.slice(0, EXPORTS).reduce((sum, bytes) => sum + bytes, 0) / 2 ** 20,
    alone: median(alone),
    beside: median(beside),
    aloneP99: p99(alone),
    besideP99: p99(beside),
  }
}

const p99 = (times: number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * 0.99)] ?? 0

/** One after the other: hashing passwords is made slow. They stay in a directory that is kept. */
async function createPeople(soc: SocService): Promise<string[]> {
  const { send, close } = createCaller(soc)
  const run = Date.now().toString(36)
  const keys: string[] = []
  for (let at = 0; at < PEOPLE; at++) {
    const username = `person-${run}-${at}`
    const user = { username, password: `horse ${run} battery ${at}`, role: 'analyst' }
    await send({ method: 'POST', path: '/users', body: user })
    const body = { name: 'bench', scopes: ['siem:read', 'siem:search'] }
    const { text } = await send({ method: 'POST', path: `/users/${username}/api-keys`, body })
    keys.push(JSON.parse(text).key)
  }
  close()
  return keys
}

async function askLight({ address }: SocService, keys: string[], end: number): Promise<number[]> {
  const until = performance.now() + SECONDS * 1_000
  const times: number[] = []
  await Promise.all(
    keys.map(async (key, person) => {
      const api = createApi({ address, headers: { 'x-api-key': key } })
      const light = [
        () => api.lastFifty(TERM, end - HOUR_MS),
        () => api.hourly(end - 24 * HOUR_MS),
        () => api.top('severity'),
      ]
      await pause((person / keys.length) * THINKING_MS)
      for (let turn = person; performance.now() < until; turn++) {
        const began = performance.now()
        await light[turn % light.length]?.()
        times.push(performance.now() - began)
        await pause(THINKING_MS)
      }
      api.close()
    }),
  )
  return times
}

/** A part of a word that stands nowhere, looked for in everything: no filter helps. */
const NOWHERE = encodeURIComponent('/[xyz]q[0-9]w/')

const EXPORTS = 4

/** Of each of ten people one; frequent values are of a field that every event has. */
const mixedOf = (keys: string[]): HeavyAsked['asked'] =>
  [
    ...Array.from({ length: EXPORTS }, () => '/siem/export'),
    '/siem/fields',
    ...['/siem/fields/message/values', '/siem/fields/host/values'],
    ...[`/siem/logs?q=${NOWHERE}`, `/siem/logs?q=${NOWHERE}&order=asc`],
    `/siem/count?q=${NOWHERE}`,
  ].map((place, at) => ({ key: keys[at] as string, place }))

/**
 * Heavy questions are asked from another thread: those who ask light ones would else wait for the
 * client that takes the exports in, not for the service.
 */
async function besideHeavy(
  { address }: SocService,
  asked: HeavyAsked['asked'],
  askOthers: () => Promise<number[]>,
) {
  const workerData: HeavyAsked = { address, asked }
  const heavy = new Worker(new URL('./logs-heavy-worker.ts', import.meta.url), { workerData })
  const answered = once(heavy, 'message')
  const times = await askOthers()
  heavy.postMessage('stop')
  const [bytes] = (await answered) as [number[]]
  return { times, bytes }
}
