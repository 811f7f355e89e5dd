import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '@manara/kit/testing/free-port'
import { startProcess } from '@manara/kit/testing/service-process'
import { bodyHash, SIGNATURE_HEADERS, signatureOf } from '../adapters/edr-signature.ts'

export const EDR_SECRET = 'a secret of the tests'

const MAIN = new URL('../reference-edr/main.ts', import.meta.url)

type Stage = { endpoint_id?: string; status?: 'online' | 'offline'; lose_answers?: boolean }

/** The reference EDR as a process of its own, on an address that it keeps when it comes back. */
export async function startReferenceEdr(t: Pick<TestContext, 'after'>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'edr-'))
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    EDR_SECRET,
    EDR_REFERENCE_PORT: String(port),
    EDR_REFERENCE_STATE: path.join(folder, 'edr.json'),
  }
  const begin = async () => {
    const started = startProcess(MAIN, env)
    await started.printed(/^edr +http/m)
    return started
  }
  let running = await begin()
  t.after(async () => {
    await running.end('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })

  /** Sets the scene, and tells what was done on endpoints so far. */
  async function stage(scene: Stage = {}): Promise<string[]> {
    const body = JSON.stringify(scene)
    const headers = signedHeaders({ method: 'POST', path: '/v1/stage', body })
    const reply = await fetch(`${url}/v1/stage`, { method: 'POST', headers, body })
    return ((await reply.json()) as { executions: string[] }).executions
  }

  return {
    url,
    settings: { url, secret: EDR_SECRET, pollMs: 50 },
    stage,
    async goAway() {
      await running.end('SIGKILL')
    },
    async comeBack() {
      running = await begin()
    },
  }
}

export function signedHeaders(
  request: { method: string; path: string; body?: string },
  { secret = EDR_SECRET, at = Date.now(), nonce = crypto.randomUUID() as string } = {},
): Record<string, string> {
  const { method, path: route, body = '' } = request
  const timestamp = String(Math.floor(at / 1_000))
  return {
    'content-type': 'application/json',
    [SIGNATURE_HEADERS.timestamp]: timestamp,
    [SIGNATURE_HEADERS.nonce]: nonce,
    [SIGNATURE_HEADERS.bodyHash]: bodyHash(body),
    [SIGNATURE_HEADERS.signature]: signatureOf(secret, {
      method,
      path: route,
      timestamp,
      nonce,
      body,
    }),
  }
}
