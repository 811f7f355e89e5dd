import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deflateRawSync, gzipSync } from 'node:zlib'
import { zipSync } from 'fflate'
import { readRuleFiles } from './rule-files.ts'
import { filesInJson } from './rule-source.ts'

const bytes = (text: string) => Buffer.from(text)

/** A header as tar writes it; `type` 0 is a file, L the long name of the next one, x pax words. */
function tarEntry(name: string, content: string, type = '0'): Buffer {
  const data = bytes(content)
  const header = Buffer.alloc(512)
  header.write(name.slice(0, 100), 0)
  header.write('0000644\0', 100)
  header.write(`${data.length.toString(8).padStart(11, '0')}\0`, 124)
  header.write('        ', 148)
  header.write(type, 156)
  header.write('ustar\x0000', 257)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return Buffer.concat([header, data, Buffer.alloc((512 - (data.length % 512)) % 512)])
}
const tar = (...entries: Buffer[]) => Buffer.concat([...entries, Buffer.alloc(1024)])

const files = [
  { name: 'rules/a.yml', content: 'title: a' },
  { name: 'rules/b.YAML', content: 'title: ب' },
]

test('a body that is no archive is one YAML text', () => {
  assert.deepEqual(readRuleFiles(bytes('title: a')), [{ name: 'body', content: 'title: a' }])
})

test('a zip gives its YAML files and passes over the rest', () => {
  const zip = zipSync({
    ...Object.fromEntries(files.map(({ name, content }) => [name, bytes(content)])),
    'README.md': bytes('x'),
    '__MACOSX/rules/._a.yml': bytes('x'),
  })
  assert.deepEqual(readRuleFiles(Buffer.from(zip)), files)
})

test('a tar, gzipped or not, gives its YAML files, also under long names', () => {
  const long = `${'deep/'.repeat(40)}c.yml`
  const archive = tar(
    ...files.map(({ name, content }) => tarEntry(name, content)),
    tarEntry('LICENSE', 'x'),
    tarEntry('././@LongLink', `${long}\0`, 'L'),
    tarEntry(long, 'title: c'),
    tarEntry('pax', `${`0 path=${long}\n`.length} path=${long}\n`, 'x'),
    tarEntry('short.yml', 'title: d'),
  )
  const expected = [
    ...files,
    { name: long, content: 'title: c' },
    { name: long, content: 'title: d' },
  ]
  assert.deepEqual(readRuleFiles(archive), expected)
  assert.deepEqual(readRuleFiles(gzipSync(archive)), expected)
})

test('what unpacks to more than allowed is 400, whatever the archive says of itself', () => {
  const bomb = Buffer.alloc(3 * 1024 * 1024, 'a').toString()
  const limit = 1024 * 1024
  const zip = Buffer.from(zipSync({ 'a.yml': bytes(bomb) }))
  // The directory claims one byte.
  zip.writeUInt32LE(1, zip.indexOf(Buffer.from([0x50, 0x4b, 1, 2])) + 24)
  for (const body of [gzipSync(tar(tarEntry('a.yml', bomb))), gzipSync(bomb), zip]) {
    assert.throws(() => readRuleFiles(body, limit), { status: 400, message: /more than 1 MB/ })
  }
})

test('a broken archive is 400 and says what to do', () => {
  const zip = Buffer.from(zipSync({ 'a.yml': bytes('title: a') }))
  const whole = tar(tarEntry('a.yml', 'title: a'))
  const damaged = Buffer.from(whole)
  damaged.write('b', 0)
  for (const body of [
    zip.subarray(0, -10),
    gzipSync(whole).subarray(0, 60),
    damaged,
    Buffer.concat([Buffer.from('PK\x03\x04'), deflateRawSync('x')]),
  ]) {
    assert.throws(() => readRuleFiles(body), { status: 400, message: /pack it again/ })
  }
  assert.throws(() => readRuleFiles(bytes('a\0b')), { status: 400, message: /not text/ })
})

test('a text that is not UTF-8 is 400 and names its file: it would be stored as another', () => {
  const arabic = Buffer.concat([bytes('title: '), Buffer.from([0xc8])])
  assert.throws(() => readRuleFiles(arabic), {
    status: 400,
    message: /^body: body: is not text in/,
  })
  const zip = Buffer.from(zipSync({ 'rules/a.yml': arabic }))
  assert.throws(() => readRuleFiles(zip), { message: /^body: rules\/a\.yml: is not text in UTF-8/ })
  const json = Buffer.concat([bytes('{"files":[{"name":"'), Buffer.from([0xc8]), bytes('"}]}')])
  assert.throws(() => filesInJson(json), { status: 400, message: 'body: is not valid UTF-8' })
})
