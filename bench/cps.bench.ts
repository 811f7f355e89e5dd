import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '@manara/kit/testing/free-port'
import { enrolFleet } from '../apps/soc/src/simulated-devices/enrol-fleet.ts'
import { startFleet } from '../apps/soc/src/simulated-devices/fleet.ts'
import { createSocClient, type SocClient } from '../apps/soc/src/simulated-devices/soc-client.ts'
import { PASSWORD } from './servers.ts'
import { killSoc, startSoc, stopSoc } from './soc-service.ts'

export const name =
  '1,000 devices attested every minute, with kill -9 of the service and its broker'

const DEVICES = 1_000
const EVERY_S = 60
const MINUTES = 3
const KILLS_AT_S = [50, 110]

/** Nothing may be lost: every request that was stored is answered, and each device in every minute. */
export async function run(print: (line: string) => void): Promise<boolean> {
  const directory = mkdtempSync(path.join(tmpdir(), 'bench-cps-'))
  const [port, mqttPort] = [await freePort(), await freePort()]
  const settings = {
    ...{ SOC_PORT: String(port), SOC_MQTT_PORT: String(mqttPort) },
    ...{ SOC_AGENTS: 'off', SOC_STARTER_RULES: 'off', SOC_RATE_ENROL: '1000000' },
  }
  let service = await startSoc(directory, settings)
  const soc = createSocClient({
    url: `http://127.0.0.1:${port}`,
    username: 'admin',
    password: PASSWORD,
  })
  await soc.signIn()
  const identities = await timed(print, `${DEVICES} devices enrolled`, () =>
    enrolFleet(soc, { count: DEVICES, everySeconds: EVERY_S, prefix: 'bench' }, () => {}),
  )
  const address = { host: '127.0.0.1', port: mqttPort }
  const fleet = startFleet({ identities, behaviours: [], address })
  await timed(print, `${DEVICES} devices connected`, async () => {
    while (fleet.connected() < DEVICES) await pause(100)
  })

  const begunAt = Date.now()
  for (const at of KILLS_AT_S) {
    await pause(begunAt + at * 1_000 - Date.now())
    await killSoc(service)
    await timed(print, 'killed, started and all devices back', async () => {
      service = await startSoc(directory, settings)
      while (fleet.connected() < DEVICES) await pause(100)
    })
  }
  await pause(begunAt + MINUTES * 60_000 - Date.now())
  // Devices were asked before they had connected, too: those requests say nothing.
  const time = { from: new Date(begunAt).toISOString(), to: new Date().toISOString() }
  await timed(print, 'the last requests settled', async () => {
    while ((await count(soc, time, 'requested')) + (await count(soc, time, 'delivered'))) {
      await pause(500)
    }
  })
  const answered = await count(soc, time, 'answered')
  const expired = await count(soc, time, 'expired')
  const repeats = [...fleet.tally.requests.values()].filter((times) => times > 1).length
  const fewest = Math.min(...fleet.members.map(({ memory }) => memory.answered.size))
  await fleet.stop()
  await stopSoc(service)
  rmSync(directory, { recursive: true, force: true })

  print(`${answered} answered, ${expired} expired, ${repeats} came over the wire more than once`)
  print(`the device that was asked least answered ${fewest} times in ${MINUTES} minutes`)
  return expired === 0 && fewest >= MINUTES - 1 && answered >= DEVICES * (MINUTES - 1)
}

async function count(
  soc: SocClient,
  time: { from: string; to: string },
  status: string,
): Promise<number> {
  const path = `/cps/attestations?limit=1&${new URLSearchParams({ ...time, status })}`
  return (await soc.call<{ total: number }>('GET', path)).total
}

async function timed<T>(print: (line: string) => void, what: string, work: () => Promise<T>) {
  const startedAt = performance.now()
  const result = await work()
  print(`${what} after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`)
  return result
}
