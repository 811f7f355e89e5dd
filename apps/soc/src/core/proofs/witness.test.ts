import assert from 'node:assert/strict'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { signerFromSeed } from './signer.ts'
import { createWitness } from './witness.ts'

const MOST_BYTES = 2_000

function openedIn(t: TestContext) {
  const directory = mkdtempSync(path.join(tmpdir(), 'soc-witness-'))
  t.after(() => rmSync(directory, { recursive: true, force: true }))
  const signer = signerFromSeed(new Uint8Array(32).fill(7))
  const now = () => new Date(0)
  const open = () => createWitness({ directory, signer, now, mostBytes: MOST_BYTES })
  return { directory, open }
}

const headOf = (chain: string, size: number) => ({
  ...{ chain, size, head: `${size}`.padStart(64, '0'), root: 'ab'.repeat(32) },
})
const linesOf = (file: string) => readFileSync(file, 'utf8').split('\n').filter(Boolean)

test('heads go on in another file, none is lost, and a start reads the last file alone', async (t) => {
  const { directory, open } = openedIn(t)
  const witness = open()
  await witness.attest(headOf('evidence/old', 3), { lasting: true })
  for (let size = 1; size <= 40; size += 1) {
    await witness.attest(headOf('audit', size), { lasting: true })
  }
  const files = readdirSync(directory).filter((name) => name.startsWith('heads'))
  assert.ok(files.length > 2, String(files))
  const current = readFileSync(path.join(directory, 'heads.ndjson'))
  assert.ok(current.length < 3 * MOST_BYTES, `${current.length} bytes`)
  const sizes = files
    .flatMap((name) => linesOf(path.join(directory, name)))
    .map((line) => JSON.parse(line) as { chain: string; size: number })
    .filter(({ chain }) => chain === 'audit')
    .map(({ size }) => size)
  assert.equal(new Set(sizes).size, 40, 'every one is in one of the files')

  for (const name of files) if (name !== 'heads.ndjson') rmSync(path.join(directory, name))
  const again = open()
  assert.deepEqual([again.latest('audit')?.size, again.latest('evidence/old')?.size], [40, 3])
  assert.equal(again.problem(), undefined)
})

test('files of heads that were put away elsewhere do not cost another its place', async (t) => {
  const { directory, open } = openedIn(t)
  const witness = open()
  let size = 0
  const attestMany = async () => {
    for (const end = size + 40; size < end; size += 1) {
      await witness.attest(headOf('audit', size), { lasting: true })
    }
  }
  const formerFiles = () =>
    readdirSync(directory)
      .filter((name) => name.startsWith('heads-'))
      .map((name) => [name, readFileSync(path.join(directory, name), 'utf8')] as const)
  await attestMany()
  rmSync(path.join(directory, 'heads-000001.ndjson'))
  const left = formerFiles()
  assert.ok(left.length > 0)
  await attestMany()
  const now = new Map(formerFiles())
  for (const [name, lines] of left) assert.equal(now.get(name), lines, name)
  assert.ok(now.size > left.length)
})

test('a crash between the two files is made good at the next start', async (t) => {
  const { directory, open } = openedIn(t)
  await open().attest(headOf('audit', 5), { lasting: true })
  const file = path.join(directory, 'heads.ndjson')
  writeFileSync(`${file}.next`, readFileSync(file))
  renameSync(file, path.join(directory, 'heads-000001.ndjson'))
  rmSync(path.join(directory, 'latest.json'))
  assert.equal(open().latest('audit')?.size, 5)
})

test('heads and notes that come at once are written in the order they came, each on disk when told', async (t) => {
  const { directory, open } = openedIn(t)
  const witness = open()
  const file = path.join(directory, 'heads.ndjson')
  const ends = [1, 2, 3, 4]
  await Promise.all(
    ends.map(async (size) => {
      await witness.attest(headOf('audit', size), { lasting: true })
      const latest = JSON.parse(readFileSync(path.join(directory, 'latest.json'), 'utf8'))
      assert.ok(latest.size >= size && Number(witness.latest('audit')?.size) >= size)
      assert.ok(linesOf(file).some((line) => JSON.parse(line).size === size))
    }),
  )
  await witness.note({ format: 'stamp' })
  const lines = linesOf(file).map((line) => JSON.parse(line))
  assert.deepEqual(
    lines.map(({ size }) => size),
    [...ends, undefined],
  )
  assert.deepEqual([open().latest('audit')?.size, open().problem()], [4, undefined])
})

test('a head that could not be written is not remembered, and does not hold up the next', async (t) => {
  const { directory, open } = openedIn(t)
  const witness = open()
  const latest = path.join(directory, 'latest.json.new')
  mkdirSync(latest)
  await assert.rejects(witness.attest(headOf('audit', 1), { lasting: false }), /EISDIR/)
  assert.equal(witness.latest('audit'), undefined)
  rmdirSync(latest)
  await witness.attest(headOf('audit', 2), { lasting: false })
  assert.equal(open().latest('audit')?.size, 2)
})
