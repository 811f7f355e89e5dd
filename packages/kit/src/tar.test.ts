import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'
import { BLOCK, filesInTar, padding, readTarHeader, type TarHeader, writeTarHeader } from './tar.ts'

const HEADER: TarHeader = { name: 'a.txt', type: '0', size: 0, mode: 0o644, target: '' }
const LONG = `${'a'.repeat(60)}/${'b'.repeat(60)}/${'c'.repeat(60)}.js`

function entry(header: Partial<TarHeader>, text = ''): Buffer {
  const bytes = Buffer.from(text)
  const head = writeTarHeader({ ...HEADER, size: bytes.length, ...header })
  return Buffer.concat([head, bytes, Buffer.alloc(padding(bytes.length))])
}
const archiveOf = (...entries: Buffer[]) => Buffer.concat([...entries, Buffer.alloc(2 * BLOCK)])
const read = (archive: Buffer) =>
  [...filesInTar(archive)].map(({ name, bytes }) => [name, bytes.toString()])

test('what is written is read again, long paths and links too', () => {
  const headers: TarHeader[] = [
    { ...HEADER, size: 1234 },
    { ...HEADER, name: LONG, mode: 0o755 },
    { ...HEADER, type: '2', target: '../kit' },
  ]
  for (const header of headers) assert.deepEqual(readTarHeader(writeTarHeader(header)), header)
  assert.equal(readTarHeader(Buffer.alloc(BLOCK)), undefined)
  assert.throws(() => writeTarHeader({ ...HEADER, name: 'x'.repeat(101) }), /too long/)
})

test('the files of an archive, also under the long names of GNU tar and of pax', () => {
  const deep = `${'deep/'.repeat(60)}c.txt`
  const archive = archiveOf(
    entry({}, 'one'),
    entry({ name: 'folder/', type: '5' }),
    entry({ name: '././@LongLink', type: 'L' }, `${deep}\0`),
    entry({ name: 'short' }, 'two'),
    entry({ name: 'pax', type: 'x' }, `30 mtime=1\n${deep.length + 9} path=${deep}\n`),
    entry({ name: 'short' }, 'three'),
    entry({ name: 'last' }, 'x'.repeat(BLOCK)),
  )
  assert.deepEqual(read(archive), [
    ['a.txt', 'one'],
    [deep, 'two'],
    [deep, 'three'],
    ['last', 'x'.repeat(BLOCK)],
  ])
})

test('what the system tar packs is read, and it reads what is packed here', () => {
  const packed = spawnSync('tar', ['-cf', '-', '-C', import.meta.dirname, 'tar.ts'])
  assert.deepEqual(
    [...filesInTar(packed.stdout)].map(({ name }) => name),
    ['tar.ts'],
  )
  const { stdout } = spawnSync('tar', ['-tf', '-'], { input: archiveOf(entry({ name: LONG })) })
  assert.equal(stdout.toString(), `${LONG}\n`)
})

test('a damaged archive and one that is cut short throw', () => {
  const whole = archiveOf(entry({}, 'one'))
  const damaged = Buffer.from(whole)
  damaged.write('b', 0)
  assert.throws(() => read(damaged), /damaged/)
  assert.throws(() => read(whole.subarray(0, BLOCK + 1)), /ends too early/)
})

test('a size below zero is damage', () => {
  const head = writeTarHeader({ ...HEADER, size: 0 })
  head.write('-0000000001', 124)
  // The sum of the header, whose digit 0 has become a minus and a 1.
  const sum = Number.parseInt(head.toString('latin1', 148, 154), 8) - 2
  head.write(sum.toString(8).padStart(6, '0'), 148)
  assert.throws(() => readTarHeader(head), /damaged/)
})
