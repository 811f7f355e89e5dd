import type { KeyObject } from 'node:crypto'
import type { Http } from '@manara/kit/http'
import { createAuditBuffer } from '../features/soc/audit-buffer.ts'
import { measureVersion } from '../features/soc/measure-version.ts'
import { createShipper } from '../features/soc/ship-events.ts'
import { socRoutes } from '../features/soc/soc.routes.ts'
import { openSocFiles } from '../features/soc/soc-files.ts'
import { createSocLink } from '../features/soc/soc-link.ts'
import { watchBox } from '../features/soc/watch-box.ts'
import type { OpenDeviceBroker } from '../ports/device-broker.ts'
import type { SocClient } from '../ports/soc-client.ts'
import type { Outside } from './area.ts'

export type SocParts = {
  client: SocClient
  openBroker: OpenDeviceBroker
  certificateRequest(commonName: string, key: KeyObject): string
  /** Where the running version lies. */
  versionRoot: string
}

type SocNeeds = { hostname(): string; uptime(): number }

/** The box as a device of a security platform, where its owner has enrolled it. */
export function composeSoc(outside: Outside, parts: SocParts, { hostname, uptime }: SocNeeds) {
  const { clock, db, events, log, problems, wall, version, dataDir } = outside
  const { client, openBroker, certificateRequest, versionRoot } = parts
  const now = () => wall.now()
  const buffer = createAuditBuffer(db, () => (wall.isSet() ? wall.now() : undefined))
  const link = createSocLink({
    ...{ client, openBroker, certificateRequest, hostname, buffer, clock, log, now },
    files: openSocFiles(dataDir),
    shipper: createShipper({ client, buffer, now }),
    answering: { version, uptime, now, measure: () => measureVersion(versionRoot) },
    reportProblem: (problem) => problems.report('soc', problem),
  })
  const watching = watchBox({ events, wall, clock, record: link.record })

  return {
    state: (): 'off' | 'connected' | 'away' => {
      const { state, connected } = link.status()
      return state === 'off' ? 'off' : connected ? 'connected' : 'away'
    },
    tokenFailure: watching.tokenFailure,
    goodbye: link.goodbye,
    settled: link.settled,
    routes: (api: Http) => socRoutes(api, link),
    async start() {
      watching.start()
      await link.start()
    },
    async stop() {
      watching.stop()
      await link.stop()
    },
  }
}
