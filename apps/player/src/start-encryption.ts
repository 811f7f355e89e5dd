import type { Server } from 'node:https'
import type { EventBus } from '@manara/kit/event-bus'
import type { Http } from '@manara/kit/http'
import type { PlayerEvents } from '@manara/player-contract/events'
import { createCertificates } from './adapters/certificates.ts'
import { systemClock } from './adapters/system-clock.ts'
import type { Config } from './config.ts'
import type { Problems } from './features/system/problems.ts'
import { keepCertificate } from './http/keep-certificate.ts'
import type { OwnNames } from './http/own-names.ts'
import type { WallClock } from './ports/wall-clock.ts'

type EncryptionParts = {
  own: OwnNames
  wall: WallClock
  events: EventBus<PlayerEvents>
  problems: Problems
}

/** The certificate of the box, under the names it has; undefined where a proxy encrypts. */
export function encryptionOf(config: Config, { own, wall, events, problems }: EncryptionParts) {
  if (!config.tls) return undefined
  const certificates = createCertificates({
    dataDir: config.dataDir,
    names: () => [...own.names(), ...own.addresses()],
    networks: own.networks,
    now: () => ({ ms: wall.now(), isTrusted: wall.isTrusted() }),
  })
  return {
    authority: certificates.root,
    certificate: certificates.current(),
    /** The result ends it. */
    keep: (http: Http) =>
      keepCertificate(http.server as Server, {
        clock: systemClock,
        renewed: certificates.renewed,
        // A new name, and a new time too: everybody is told of it by this event.
        onChange: (listener) => events.on('settings', listener),
        reportProblem: (problem) => problems.report('tls', problem),
      }),
  }
}
