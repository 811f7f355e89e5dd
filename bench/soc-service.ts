import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { caller } from '../scripts/demo/soc-client.ts'
import { STARTS } from '../scripts/lean.ts'
import { ensureServer } from '../scripts/server.ts'
import { addressOf, PASSWORD, signedIn, stopServer } from './servers.ts'

export type SocService = {
  child: ChildProcess
  /** Of its API. */
  address: string
  headers: Record<string, string>
}

const ROOT = path.join(import.meta.dirname, '..')
/** Built before the first start, whose time is not taken. */
let entry: string | undefined

/** The program as `npm start` runs it, with engines of its own in `directory`, and somebody signed in. */
export async function startSoc(
  directory: string,
  settings: Record<string, string> = {},
): Promise<SocService> {
  const { flags, env } = STARTS.soc
  entry ??= await ensureServer('soc')
  const child = spawn(process.execPath, [...flags, entry], {
    cwd: ROOT,
    env: {
      ...process.env,
      ...env,
      DATABASE_URL: '',
      SOC_PORT: '0',
      SOC_DATA: path.resolve(directory),
      SOC_ADMIN_PASSWORD: PASSWORD,
      SOC_RATE_GENERAL: '1000000000',
      SOC_RATE_INGEST: '1000000000',
      SOC_LOG: 'error',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr.pipe(process.stderr)
  return { child, ...(await signedIn(await addressOf(child))) }
}

export const stopSoc = ({ child }: SocService) => stopServer(child)

export const killSoc = ({ child }: SocService) => stopServer(child, 'SIGKILL')

export const callerOf = ({ address, headers }: SocService) =>
  caller(new URL(address).origin, headers)
