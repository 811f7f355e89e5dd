import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Verdict } from '@manara/soc-contract/cps'
import type { ListOf } from '@manara/soc-contract/lists'
import { enrolFleet } from './enrol-fleet.ts'
import { behavioursOf, startFleet, USUAL_MIX } from './fleet.ts'
import { createSocClient, type SocClient } from './soc-client.ts'

type Terminal = {
  say(line: string): void
  /** Replaces the last such line where that can be done. */
  show(line: string): void
}

const USAGE = `npm run cps:simulate -- [options]
  --devices N     how many (100)
  --every S       seconds between attestations of each (60)
  --minutes M     how long (until Ctrl-C)
  --url URL       the soc (http://127.0.0.1:8000)
  --mqtt H:P      the broker (the host of --url, the port that enrolment tells)
  --user NAME     who adds the devices (admin); the password is SOC_ADMIN_PASSWORD
  --tampered P, --slow P, --silent P, --cloned P, --replaying P
                  of a hundred devices, how many (2 each)`

const SHOW_MS = 1_000
const COUNT_EVERY = 5

/** Simulated devices at a running soc, until `ending` or the time is over. */
export async function runSimulation(
  args: string[],
  context: { password: string | undefined; ending: AbortSignal } & Terminal,
): Promise<number> {
  const options = read(args)
  if (typeof options === 'string') return refuse(context, options)
  if (!context.password) {
    return refuse(context, 'SOC_ADMIN_PASSWORD: must be set to the password of the user')
  }
  const { url, devices, user: username, password } = { ...options, password: context.password }
  const soc = createSocClient({ url, username, password })
  await soc.signIn()
  const prefix = `simulated ${new Date().toISOString().slice(0, 19)}`
  const identities = await enrolFleet(
    soc,
    { count: devices, everySeconds: options.every, prefix },
    (count) => context.show(`enrolled ${count} of ${devices}`),
  )
  context.say(`enrolled ${identities.length} devices`)
  const told = identities[0]?.enrolled.mqtt.port ?? 8883
  const address = options.mqtt ?? { host: new URL(url).hostname, port: told }
  const behaviours = behavioursOf(devices, options.mix)
  const fleet = startFleet({ identities, behaviours, address })

  const until = options.minutes ? Date.now() + options.minutes * 60_000 : Number.POSITIVE_INFINITY
  let verdicts = ''
  for (let turn = 0; Date.now() < until && !context.ending.aborted; turn += 1) {
    await pause(SHOW_MS, undefined, { signal: context.ending }).catch(() => {})
    if (turn % COUNT_EVERY === 0) verdicts = await countVerdicts(soc).catch(() => 'soc is away')
    const { requests, answered } = fleet.tally
    context.show(
      `${fleet.connected()} connected, ${requests.size} requests, ${answered.size} answered; ${verdicts}`,
    )
  }
  await fleet.stop()
  const { requests } = fleet.tally
  const repeats = [...requests.values()].filter((times) => times > 1).length
  context.say(`${requests.size} requests, ${repeats} of them came more than once; ${verdicts}`)
  return 0
}

async function countVerdicts(soc: SocClient): Promise<string> {
  const counts = await Promise.all(
    Verdict.options.map(async (verdict) => {
      const path = `/cps/attestations?limit=1&verdict=${verdict}`
      return `${verdict} ${(await soc.call<ListOf<unknown>>('GET', path)).total}`
    }),
  )
  return counts.join(', ')
}

function refuse({ say }: Terminal, reason: string): number {
  say(reason)
  say(USAGE)
  return 1
}

function read(args: string[]) {
  const text = { type: 'string' } as const
  try {
    const { values } = parseArgs({
      args,
      options: {
        ...{ devices: text, every: text, minutes: text, url: text, mqtt: text, user: text },
        ...{ tampered: text, slow: text, silent: text, cloned: text, replaying: text },
      },
    })
    const number = (name: keyof typeof values, fallback: number, least = 0) => {
      const value = Number(values[name] ?? fallback)
      if (!Number.isFinite(value) || value < least) {
        throw new Error(`--${name}: must be a number from ${least}`)
      }
      return value
    }
    const [, host, port] = /^(.+):(\d+)$/.exec(values.mqtt ?? '') ?? []
    if (values.mqtt && !host) throw new Error('--mqtt: must be host:port')
    return {
      devices: number('devices', 100, 1),
      every: number('every', 60, 10),
      minutes: number('minutes', 0),
      url: (values.url ?? 'http://127.0.0.1:8000').replace(/\/$/, ''),
      mqtt: host ? { host, port: Number(port) } : undefined,
      user: values.user ?? 'admin',
      mix: {
        tampered: number('tampered', USUAL_MIX.tampered),
        slow: number('slow', USUAL_MIX.slow),
        silent: number('silent', USUAL_MIX.silent),
        cloned: number('cloned', USUAL_MIX.cloned),
        replaying: number('replaying', USUAL_MIX.replaying),
      },
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
