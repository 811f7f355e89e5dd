import { type ChildProcess, type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { sessionOf } from '../scripts/demo/soc-client.ts'

export const PASSWORD = 'correct horse battery'

/** One of our servers as a process of its own, with its data below `directory`. */
export async function startServer(file: string, env: Record<string, string>, directory: string) {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: {
      ...process.env,
      ...env,
      SOC_PORT: '0',
      SOC_DATA: path.join(directory, 'soc'),
      SOC_ADMIN_PASSWORD: PASSWORD,
      SOC_RATE_GENERAL: '1000000000',
      SOC_LOG: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, address: await addressOf(child) }
}

/** What it prints when it listens. */
export async function addressOf(
  child: ChildProcessByStdio<null, Readable, Readable | null>,
): Promise<string> {
  let output = ''
  for await (const text of child.stdout.setEncoding('utf8')) {
    output += text
    const [, address] = /^(?:soc|bare) +(http\S+)/m.exec(output) ?? []
    if (address) return address
  }
  throw new Error(`the server did not start: ${output}`)
}

export async function stopServer(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM') {
  const gone = once(child, 'exit')
  child.kill(signal)
  await gone
}

/** The API of a soc, and somebody who is signed in there. */
export const signedIn = async (address: string) => ({
  address: `${address}/api/v1`,
  headers: await sessionOf(address, 'admin', PASSWORD),
})
