import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

function run(program: string, words: string[], env: Record<string, string> = {}) {
  const file = fileURLToPath(new URL(program, import.meta.url))
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...words], {
    env: { PATH: process.env.PATH, PLAYER_DATA: '/nowhere', ...env },
    encoding: 'utf8',
  })
  assert.deepEqual([status, stdout], [1, ''])
  return stderr
}

const ASKED = ['--soc', 'https://soc.example', '--code', 'MNRA-1234-5678']

test('player:enrol that cannot begin says why without a stack', () => {
  const badPort = 'PLAYER_PORT: must be a port, got "abc"\n'
  assert.equal(run('enrol.ts', ASKED, { PLAYER_PORT: 'abc' }), badPort)
  assert.match(run('enrol.ts', [...ASKED, '--cod', 'x']), /^Unknown option '--cod'.*\nusage: .*\n$/)
  assert.match(run('enrol.ts', [...ASKED, '--ca', '/nowhere.pem']), /^ENOENT: .*nowhere\.pem'\n$/)
})

test('player:tap with a bad setting names it without a stack', () => {
  const badPort = 'PLAYER_PORT: must be a port, got "abc"\n'
  assert.equal(run('tap.ts', ['04A1B2C3'], { PLAYER_PORT: 'abc' }), badPort)
})
