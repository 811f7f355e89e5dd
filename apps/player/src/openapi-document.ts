import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createEventBus } from '@manara/kit/event-bus'
import { createLogger } from '@manara/kit/logging'
import type { PlayerEvents } from '@manara/player-contract/events'
import manifest from '../package.json' with { type: 'json' }
import { buildApp } from './app.ts'
import { composePlayer } from './compose/player.ts'
import { openStore } from './db/open-store.ts'
import { createProblems } from './features/system/problems.ts'

/** The OpenAPI document as the running service serves it; nothing of the box is opened for it. */
export async function playerDocument(): Promise<object> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'player-openapi-'))
  const db = openStore(dataDir)
  const { version } = manifest
  const { areas } = composePlayer({
    ...{ dataDir, db, version },
    audio: unopened(),
    board: unopened(),
    card: unopened(),
    clock: unopened(),
    outputs: unopened(),
    reader: unopened(),
    probeStation: unopened(),
    wall: unopened(),
    wifi: unopened(),
    panel: undefined,
    openPainter: refuse,
    events: createEventBus<PlayerEvents>(refuse),
    log: createLogger({ service: 'player', level: 'silent', pretty: false }),
    problems: createProblems(),
    library: {
      playable: [],
      measure: refuse,
      uploads: { limits: { file: 0, total: 0 }, probe: refuse, newId: () => '' },
    },
    buttons: undefined,
    house: undefined,
    machineName: '',
    soc: {
      ...{ client: unopened(), openBroker: refuse, certificateRequest: refuse, versionRoot: '' },
    },
    updates: {
      ...{ updatesDir: dataDir, keysFile: '', slot: undefined, source: unopened() },
      ...{ limit: 0, confirmAfterMs: 0, whyUnreachable: refuse, restart: refuse },
    },
    reset: unopened(),
    uptime: refuse,
    dashboardCount: refuse,
    pairing: unopened(),
  })
  const http = await buildApp({
    version,
    token: refuse,
    callers: unopened(),
    trust: unopened(),
    areas,
  })
  try {
    await http.ready()
    return http.swagger()
  } finally {
    await http.close()
    db.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

function refuse(): never {
  throw new Error('the service is only described here, not run')
}

/** Every call of it is refused: composing calls nothing. */
const unopened = <Port extends object>(): Port => new Proxy({} as Port, { get: () => refuse })
