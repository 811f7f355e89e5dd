import { readSettingFile } from '@manara/kit/setting-file'
import { askSelf } from './adapters/ask-self.ts'
import { createUpdateSource } from './adapters/update-source.ts'
import type { UpdateParts } from './compose/updates.ts'
import type { Config } from './config.ts'

// More than ten times what an image of today takes.
const IMAGE_LIMIT = 256 * 2 ** 20

/** What exchanges the service itself needs of this machine. The rest is asked once the service listens. */
export function updatesOf(
  config: Config,
  version: string,
  { port, token }: { port(): number; token(): string },
): UpdateParts {
  return {
    updatesDir: config.updatesDir,
    keysFile: config.updateKeys,
    slot: config.slot,
    source: createUpdateSource({
      allow: config.updateServers,
      ca: config.updateServerCa && readSettingFile('PLAYER_OTA_CA', config.updateServerCa),
      limit: IMAGE_LIMIT,
    }),
    limit: IMAGE_LIMIT,
    confirmAfterMs: config.confirmAfterS * 1000,
    whyUnreachable: () =>
      askSelf({ host: config.host, tls: config.tls, port: port(), token: token() }, version),
    // Stops as for anybody; the launcher starts what the record then names.
    restart: () => process.kill(process.pid, 'SIGTERM'),
  }
}
