import { setTimeout as pause } from 'node:timers/promises'
import { createCaller } from './load.ts'
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
  const stop = new AbortController()
  const heavy = keys.slice(0, HEAVY).map((key) => askHeavy(soc, key, stop.signal))
  const beside = await askLight(soc, light, end)
  stop.abort()
  await Promise.all(heavy)
  const mixed = await besideMixed(soc, keys.slice(0, HEAVY), () => askLight(soc, light, end))
  return {
    mixedP99: p99(mixed.times),
    exportedMb: mixed.exported / 2 ** 20,
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

const askHeavy = (soc: SocService, key: string, signal: AbortSignal) =>
  askOn(soc, key, `/siem/count?q=${NOWHERE}`, signal)

/** Of each of ten people one; frequent values are of a field that every event has. */
const MIXED = [
  ...Array.from({ length: 4 }, () => '/siem/export'),
  '/siem/fields',
  ...['/siem/fields/message/values', '/siem/fields/host/values'],
  ...[`/siem/logs?q=${NOWHERE}`, `/siem/logs?q=${NOWHERE}&order=asc`],
  `/siem/count?q=${NOWHERE}`,
]

async function besideMixed(soc: SocService, keys: string[], askOthers: () => Promise<number[]>) {
  const stop = new AbortController()
  let exported = 0
  const heavy = MIXED.map((place, at) =>
    askOn(soc, keys[at] as string, place, stop.signal, (bytes) => {
      if (place === '/siem/export') exported += bytes
    }),
  )
  const times = await askOthers()
  stop.abort()
  await Promise.all(heavy)
  return { times, exported }
}

/** The same again and again, without a pause. */
async function askOn(
  { address }: SocService,
  key: string,
  place: string,
  signal: AbortSignal,
  got: (bytes: number) => void = () => {},
) {
  while (!signal.aborted) {
    try {
      const reply = await fetch(`${address}${place}`, { headers: { 'x-api-key': key }, signal })
      for await (const chunk of reply.body ?? []) got(chunk.length)
    } catch {
      // It was stopped.
    }
  }
}
