import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { BLOCK } from '@manara/kit/tar'
import { decodeEntry, encodeEntry, type ImageEntry } from './image-entry.ts'

const LONG = `node_modules/${'a'.repeat(60)}/${'b'.repeat(60)}/${'c'.repeat(60)}.js`

test('what is written is read again, long paths and links too', () => {
  const entries: ImageEntry[] = [
    { type: 'file', path: 'apps/player/src/main.ts', size: 1234, executable: false },
    { type: 'file', path: LONG, size: 0, executable: true },
    { type: 'link', path: 'node_modules/@manara/kit', target: '../../packages/kit' },
  ]
  for (const entry of entries) assert.deepEqual(decodeEntry(encodeEntry(entry)), entry)
  assert.equal(decodeEntry(Buffer.alloc(BLOCK)), undefined)
})

test('the system tar reads it too', () => {
  const header = encodeEntry({ type: 'file', path: LONG, size: 0, executable: true })
  const { stdout } = spawnSync('tar', ['-tvf', '-'], {
    input: Buffer.concat([header, Buffer.alloc(2 * BLOCK)]),
    encoding: 'utf8',
  })
  assert.match(stdout, /^-rwxr-xr-x/)
  assert.ok(stdout.includes(LONG))
})

for (const path of ['../x', '/etc/passwd', 'a/../../b', 'a//b', './a', 'a/', '']) {
  test(`a path that leaves the folder is refused: ${JSON.stringify(path)}`, () => {
    const refused = /leaves its folder/
    assert.throws(() => encodeEntry({ type: 'file', path, size: 0, executable: false }), refused)
    assert.throws(() => decodeEntry(forged(path, '0')), path === '' ? /./ : refused)
  })
}

for (const target of ['../x', '../../x', '/etc', 'y/../../../x', './..', 'y/..', '.']) {
  test(`a link that leaves the folder is refused: ${target}`, () => {
    const link = encodeEntry({ type: 'link', path: 'link', target })
    assert.throws(() => decodeEntry(link), /leaves its folder/)
  })
}

test('a device, a folder or a spoilt header is refused', () => {
  for (const type of ['3', '5', '1']) assert.throws(() => decodeEntry(forged('x', type)))
  const spoilt = encodeEntry({ type: 'file', path: 'x', size: 1, executable: false })
  spoilt[0] = 0x79
  assert.throws(() => decodeEntry(spoilt), /damaged/)
})

/** A header that the encoder would not write, with a checksum that fits. */
function forged(path: string, type: string): Buffer {
  const header = encodeEntry({ type: 'file', path: 'x', size: 0, executable: false })
  header.fill(0, 0, 100).write(path, 0)
  header.write(type, 156)
  header.fill(' ', 148, 156)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}
