import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { mainOf } from '@manara/kit/testing/service-process'

const MAIN = fileURLToPath(mainOf('soc'))
const MOUNT = 'mount -t tmpfs -o size=40m data "$SOC_DATA" && exec "$0" "$@"'

test('GET /health says that the disk is full', async (t) => {
  if (spawnSync('unshare', ['-rm', 'true']).status !== 0) {
    return t.skip('no file system of our own may be mounted here')
  }
  const folder = mkdtempSync(path.join(tmpdir(), 'soc-full-'))
  const env = {
    ...{ PATH: process.env.PATH, SOC_PORT: '0', SOC_DATA: folder, SOC_LOG: 'silent' },
    SOC_WARM_UP: 'off',
    // None: what a program finds here as root of its own is not a user that PostgreSQL runs for.
    DATABASE_URL: `postgresql://soc@localhost/soc?host=${encodeURIComponent(folder)}`,
  }
  for (const [disk, words] of [
    ['full', ['unshare', '-rm', 'sh', '-c', MOUNT, process.execPath, MAIN]],
    ['ok', [process.execPath, MAIN]],
  ] as const) {
    const [program = '', ...rest] = words
    const child = spawn(program, rest, { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const ended = once(child, 'exit')
    try {
      const health = await fetch(`${await addressOf(child.stdout)}/health`)
      assert.equal(((await health.json()) as { disk: string }).disk, disk)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  }
  rmSync(folder, { recursive: true, force: true })
})

async function addressOf(stdout: Readable): Promise<string> {
  let output = ''
  for await (const text of stdout.setEncoding('utf8').iterator({ destroyOnReturn: false })) {
    output += text
    const [, address] = /^soc +(http\S+)/m.exec(output) ?? []
    if (!address) continue
    stdout.resume()
    return address
  }
  throw new Error(`the service did not start: ${output}`)
}
