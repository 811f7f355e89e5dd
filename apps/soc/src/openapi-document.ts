import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '@manara/kit/logging'
import { composeSoc } from './compose/soc.ts'
import { readConfig } from './config.ts'

/** The OpenAPI document as the running service serves it; nothing of the service is started for it. */
export async function socDocument(): Promise<object> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-openapi-'))
  const log = createLogger({ service: 'soc', level: 'silent', pretty: false })
  const soc = await composeSoc(
    { ...readConfig({}), dataDir },
    { connection: { host: dataDir }, log },
  )
  try {
    await soc.http.ready()
    return soc.http.swagger()
  } finally {
    await soc.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
