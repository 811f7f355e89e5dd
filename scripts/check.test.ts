import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '..')
const RULES = ['.dependency-cruiser.cjs', 'knip.json', 'tsconfig.json']
const BOUNDARIES = ['scripts/check-boundaries.ts']
const THREATS = ['scripts/check-threats.ts']
const DOCS = ['scripts/check-docs.ts']
const DEAD_CODE = ['node_modules/knip/bin/knip.js', '--no-progress']
const TYPES = ['node_modules/@typescript/native/bin/tsc', '-p', '.']

const PACKAGES = {
  'package.json':
    '{"type":"module","workspaces":["packages/*"],"devDependencies":{"dependency-cruiser":"*"},"scripts":{"soc":"node"}}',
  'packages/kit/package.json': '{"name":"@manara/kit","type":"module"}',
  'apps/README.md': '',
}

/** A few files under the rules of the whole house. */
function smallHouse(t: TestContext, files: Record<string, string>): string {
  const house = mkdtempSync(path.join(tmpdir(), 'manara-check-'))
  t.after(() => rmSync(house, { recursive: true, force: true }))
  for (const file of [...RULES, ...BOUNDARIES, ...THREATS, ...DOCS]) {
    cpSync(path.join(ROOT, file), path.join(house, file))
  }
  for (const [file, text] of Object.entries({ ...PACKAGES, ...files })) {
    mkdirSync(path.dirname(path.join(house, file)), { recursive: true })
    writeFileSync(path.join(house, file), text)
  }
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(house, 'node_modules'))
  return house
}

function check(house: string, command: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, command, {
    cwd: house,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })
  return { status, output: stdout + stderr }
}

const threatsOf = (tests: string) =>
  `| threat | protection | tests |\n|---|---|---|\n| a flood | a limit | ${tests} |\n`

const FEATURES = 'apps/player/src/features'

const DOCUMENTED = {
  'README.md':
    '`npm run soc`, [how](docs/soc.md#keeping-logs)\n\n| variable | default |\n|---|---|\n| `SOC_TLS_CERT`, `_KEY` | |\n',
  'docs/soc.md': '## Keeping logs\n',
  'docs/architecture.md': '## The map\n\n`soc/settings.ts`\n\n## Other\n',
  'apps/player/src/config.ts': 'const none = {}',
  'apps/soc/src/settings.ts': 'const KINDS = {\n  SOC_TLS_CERT: file(),\n  SOC_TLS_KEY: file(),\n}',
}

const NOTICED: [
  what: string,
  command: string[],
  right: Record<string, string>,
  wrong: Record<string, string>,
  complaint: RegExp,
][] = [
  [
    'an import from one feature into another',
    BOUNDARIES,
    {
      [`${FEATURES}/radio/radio.routes.ts`]: "import './stations.store.ts'",
      [`${FEATURES}/radio/stations.store.ts`]: 'export const stations = []',
      [`${FEATURES}/favorites/favorites.store.ts`]: 'export const favorites = []',
    },
    { [`${FEATURES}/radio/radio.routes.ts`]: "import '../favorites/favorites.store.ts'" },
    /features-are-strangers: .*radio\.routes\.ts -> .*favorites\.store\.ts/,
  ],
  [
    'an adapter in a feature',
    BOUNDARIES,
    {
      'apps/soc/src/features/alerts/alerts.routes.ts': "import '../../ports/alerts.ts'",
      'apps/soc/src/ports/alerts.ts': 'export type Alerts = string[]',
      'apps/soc/src/adapters/embedded-postgres.ts': 'export const start = () => {}',
    },
    {
      'apps/soc/src/features/alerts/alerts.routes.ts':
        "import '../../adapters/embedded-postgres.ts'",
    },
    /features-see-inwards: /,
  ],
  [
    'an unused export',
    DEAD_CODE,
    {
      'packages/kit/src/errors.ts': 'export const used = 1',
      'packages/kit/src/errors.test.ts': "import { used } from './errors.ts'\nvoid used",
    },
    { 'packages/kit/src/errors.ts': 'export const used = 1\nexport const nobodyNeedsThis = 1' },
    /nobodyNeedsThis/,
  ],
  [
    'a type error',
    TYPES,
    { 'packages/kit/src/errors.ts': 'export const right: number = 1' },
    { 'packages/kit/src/errors.ts': "export const wrong: number = 'text'" },
    /errors\.ts.*TS2322/,
  ],
  [
    'a threat whose test is not there',
    THREATS,
    {
      'docs/security.md': threatsOf('`a.test.ts`: "a flood is"'),
      'a.test.ts': "test('a flood is refused', () => {})",
    },
    { 'docs/security.md': threatsOf('`a.test.ts`: "a flood is taken"') },
    /no test "a flood is taken" in a\.test\.ts/,
  ],
  [
    'a threat without a test',
    THREATS,
    {
      'docs/security.md': threatsOf('`a.test.ts`: "a flood is"'),
      'a.test.ts': "test('a flood is refused', () => {})",
    },
    { 'docs/security.md': threatsOf('we are careful') },
    /names no test: a flood/,
  ],
  [
    'a file of the map that is not there',
    DOCS,
    DOCUMENTED,
    { 'docs/architecture.md': '## The map\n\n`soc/setting.ts`\n\n## Other\n' },
    /architecture\.md: not there: soc\/setting\.ts/,
  ],
  [
    'a link that leads nowhere',
    DOCS,
    DOCUMENTED,
    { 'docs/soc.md': '## Keeping events\n' },
    /README\.md: leads nowhere: docs\/soc\.md#keeping-logs/,
  ],
  [
    'a command that the docs alone know',
    DOCS,
    DOCUMENTED,
    { 'docs/soc.md': '## Keeping logs\n`npm run soc:keep`' },
    /soc\.md: no such script: soc:keep/,
  ],
  [
    'a setting that the README does not name, and one that it alone names',
    DOCS,
    DOCUMENTED,
    { 'apps/soc/src/settings.ts': 'const KINDS = {\n  SOC_TLS_PEM: file(),\n}' },
    /README\.md: lacks SOC_TLS_PEM\nREADME\.md: no such setting: SOC_TLS_CERT/,
  ],
]

for (const [what, command, right, wrong, complaint] of NOTICED) {
  test(`npm run check notices ${what}`, (t) => {
    const before = check(smallHouse(t, right), command)
    assert.equal(before.status, 0, before.output)
    const after = check(smallHouse(t, { ...right, ...wrong }), command)
    assert.notEqual(after.status, 0)
    assert.match(after.output, complaint)
  })
}

for (const script of ['check.ts', 'test.ts']) {
  test(`${script} says how to install the packages for development where they are not`, (t) => {
    const empty = mkdtempSync(path.join(tmpdir(), 'manara-check-'))
    t.after(() => rmSync(empty, { recursive: true, force: true }))
    const { status, output } = check(empty, [path.join(ROOT, 'scripts', script)])
    assert.equal(status, 1)
    assert.match(output, /^packages .* are missing .*: npm ci --include=dev\n$/)
  })
}
