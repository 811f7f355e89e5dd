import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createLogger } from '@manara/kit/logging'
import { assembleSoc } from './compose/soc.ts'
import { readConfig } from './config.ts'

/** The OpenAPI document as the running service serves it; it needs no database to be made. */
export async function socDocument(): Promise<object> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'soc-openapi-'))
  const log = createLogger({ service: 'soc', level: 'silent', pretty: false })
  const soc = await assembleSoc(
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
