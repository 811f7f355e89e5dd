import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '..')
const LEFT_BEHIND = new Set(['node_modules', '.git', 'data'])

/** A copy of the sources, so that a mistake can be planted in it. */
function copyOfTheHouse(t: TestContext): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'manara-check-'))
  t.after(() => rmSync(copy, { recursive: true, force: true }))
  for (const name of readdirSync(ROOT)) {
    if (!LEFT_BEHIND.has(name))
      cpSync(path.join(ROOT, name), path.join(copy, name), { recursive: true })
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

const PLANTED: [what: string, file: string, line: string, check: string[], complaint: RegExp][] = [
  [
    'an import from one feature into another',
    'apps/player/src/features/radio/radio.routes.ts',
    "import '../favorites/favorites.store.ts'",
    ['scripts/check-boundaries.ts'],
    /features-are-strangers: .*radio\.routes\.ts -> .*favorites\.store\.ts/,
  ],
  [
    'an adapter in a feature',
    'apps/soc/src/features/alerts/alerts.routes.ts',
    "import '../../adapters/embedded-postgres.ts'",
    ['scripts/check-boundaries.ts'],
    /features-see-inwards: /,
  ],
  [
    'an unused export',
    'packages/kit/src/errors.ts',
    'export const nobodyNeedsThis = 1',
    ['node_modules/knip/bin/knip.js', '--no-progress'],
    /nobodyNeedsThis/,
  ],
  [
    'a type error',
    'packages/kit/src/errors.ts',
    "const wrong: number = 'text'\nvoid wrong",
    ['node_modules/@typescript/native/bin/tsc', '-p', '.'],
    /errors\.ts.*TS2322/,
  ],
]

for (const [what, file, line, check, complaint] of PLANTED) {
  test(`npm run check notices ${what}`, (t) => {
    const house = copyOfTheHouse(t)
    appendFileSync(path.join(house, file), `\n${line}\n`)
    const { status, stdout, stderr } = spawnSync(process.execPath, check, {
      cwd: house,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    assert.notEqual(status, 0)
    assert.match(stdout + stderr, complaint)
  })
}
