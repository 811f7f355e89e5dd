import { spawn } from 'node:child_process'
import { needDevPackages } from './dev-packages.ts'

/** `npm run check`: every check that can fail, each by name, all of them even when one is red. */
const CHECKS: [name: string, command: string, ...args: string[]][] = [
  ['format and lint', 'biome', 'ci', '--error-on-warnings', '.'],
  ['types', 'node', 'node_modules/@typescript/native/bin/tsc', '-p', '.'],
  [
    'types of the pages',
    'node',
    'node_modules/@typescript/native/bin/tsc',
    '-p',
    'tsconfig.web.json',
  ],
  ['boundaries', 'node', 'scripts/check-boundaries.ts'],
  ['colours and directions', 'node', 'scripts/check-styles.ts'],
  ['sizes of the pages', 'node', 'scripts/web.ts'],
  ['lock file', 'node', 'scripts/check-lock.ts'],
  ['places and settings in the docs', 'node', 'scripts/check-docs.ts'],
  ['tests of the threats', 'node', 'scripts/check-threats.ts'],
  ['dead code', 'knip', '--no-progress'],
  ['assembled code', 'node', 'scripts/assemble.ts'],
  ['log formats in the docs', 'node', 'scripts/log-formats.ts', '--check'],
  ['OpenAPI documents', 'node', 'scripts/api-docs.ts', '--check'],
]

needDevPackages()
let failed = 0
for (const [name, command, ...args] of CHECKS) {
  const { code, output } = await run(command, args)
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}\n`)
  if (code === 0) continue
  failed += 1
  process.stdout.write(`${output}\n`)
}
process.exitCode = failed === 0 ? 0 : 1

function run(command: string, args: string[]): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, NO_COLOR: '1' },
    })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    child.stderr.on('data', (text) => {
      output += text
    })
    child.on('error', reject)
    child.on('close', (code) => resolve({ code, output }))
  })
}
