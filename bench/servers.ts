import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createCaller, type Target } from './load.ts'

export const BENCH_PASSWORD = 'correct horse battery'

/** One of our servers as a process of its own, with its data below `directory`. */
export async function startServer(file: string, env: Record<string, string>, directory: string) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: {
      ...process.env,
      ...env,
      SOC_PORT: '0',
      SOC_DATA: path.join(directory, 'soc'),
      SOC_ADMIN_PASSWORD: BENCH_PASSWORD,
      SOC_RATE_GENERAL: '1000000000',
      SOC_LOG: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    const [, address] = /^(?:soc|bare) +(http\S+)/m.exec(output) ?? []
    if (address) return { child, address }
  }
  throw new Error(`${file} did not start: ${output}`)
}

export async function stopServer(child: ChildProcess) {
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  await gone
}

export async function signedIn(address: string): Promise<Target> {
  const { send, close } = createCaller({ address: `${address}/api/v1` })
  const body = { username: 'admin', password: BENCH_PASSWORD }
  const { text } = await send({ method: 'POST', path: '/auth/token', body })
  close()
  const { access_token } = JSON.parse(text)
  return { address: `${address}/api/v1`, headers: { authorization: `Bearer ${access_token}` } }
}
