import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'
import { BUNDLE_STAMP, bundleOf, sourcesOf } from '@manara/kit/bundle'
import { sourceHash } from '@manara/kit/source-hash'
import { entryOf } from './entry-of.ts'
import { ENTRY } from './slots.ts'

function versionIn(t: TestContext, files: Record<string, string>) {
  const folder = mkdtempSync(path.join(tmpdir(), 'entry-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const write = (name: string, content: string) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true })
    writeFileSync(path.join(folder, name), content)
  }
  for (const [name, content] of Object.entries(files)) write(name, content)
  return { folder, write, entry: () => path.relative(folder, entryOf(folder)) }
}

const CHECKOUT = {
  [ENTRY]: 'start()',
  'packages/kit/src/one.ts': 'one',
  'scripts/server.ts': 'build()',
  'scripts/server/bundle-server.ts': 'bundle()',
  'package-lock.json': '{}',
}
const BUNDLE = bundleOf('player')
const BUNDLED = `${BUNDLE}/main.js`

test('an image starts by its bundle; one from before there were bundles by its sources', (t) => {
  const image = { 'manifest.json': '{}', [ENTRY]: 'start()' }
  assert.equal(versionIn(t, image).entry(), ENTRY)
  assert.equal(versionIn(t, { ...image, [BUNDLED]: 'start()' }).entry(), BUNDLED)
})

test('a checkout starts by its bundle only while that was made from what lies there', (t) => {
  const { folder, write, entry } = versionIn(t, CHECKOUT)
  assert.equal(entry(), ENTRY)
  write(BUNDLED, 'start()')
  assert.equal(entry(), ENTRY, 'without a stamp')
  const hash = sourceHash(sourcesOf('player'), folder)
  write(`${BUNDLE}/${BUNDLE_STAMP}`, JSON.stringify({ hash }))
  assert.equal(entry(), BUNDLED)
  for (const name of Object.keys(CHECKOUT)) {
    const { [name as keyof typeof CHECKOUT]: before = '' } = CHECKOUT
    write(name, `${before} `)
    assert.equal(entry(), ENTRY, name)
    write(name, before)
    assert.equal(entry(), BUNDLED)
  }
})
