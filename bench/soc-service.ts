import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { STARTS } from '../scripts/lean.ts'
import { ensureServer } from '../scripts/server.ts'

export const PASSWORD = 'correct horse battery'

export type SocService = {
  child: ChildProcess
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
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    const [, base] = /^soc +(http\S+)/m.exec(output) ?? []
    if (!base) continue
    child.stdout.resume()
    const address = `${base}/api/v1`
    const reply = await fetch(`${address}/auth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: PASSWORD }),
    })
    const { access_token } = (await reply.json()) as { access_token: string }
    return { child, address, headers: { authorization: `Bearer ${access_token}` } }
  }
  throw new Error(`the soc did not start: ${output}`)
}

export async function stopSoc({ child }: SocService) {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}
