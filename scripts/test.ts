import { mkdtempSync, rmSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { install, missing, SPARING_PACKAGES, TEST_PACKAGES } from './debian-packages.ts'
import { needDevPackages } from './dev-packages.ts'
import { writeIntoMemory } from './memory-folder.ts'
import { runSuites } from './run-suites.ts'
import { ensureServer } from './server.ts'
import { lanesOf, planGroups } from './split-suites.ts'
import { ensureWeb } from './web.ts'

/** `npm test`: installs what the real-engine suites need, then runs every suite that can run here. */
needDevPackages()
const wanted = process.argv.slice(2)
const leftOut = prepareEngines()
const files = (await testFiles(wanted)).filter((file) => !leftOut.some((end) => file.endsWith(end)))
if (files.length === 0) {
  process.stderr.write(`no test file matches ${wanted.join(' ')}\n`)
  process.exit(1)
}
spareWork(files)
writeIntoMemory()
const [areBundled] = await Promise.all([buildAll(), makeCluster(files)])
const cores = availableParallelism()
process.exitCode = await runSuites(
  planGroups(files, cores),
  lanesOf(cores),
  areBundled ? ['--import', './scripts/bundled-threads.ts'] : [],
)

/** Endings of the suites that cannot run here. In CI that is a failure, not a footnote. */
function prepareEngines(): string[] {
  const needed = missing(TEST_PACKAGES)
  if (needed.length === 0) return []
  const why = install(needed)
  const still = missing(TEST_PACKAGES)
  for (const { name, command, suite = command } of still) {
    process.stdout.write(`left out: *.${suite}.test.ts, because ${name} is missing (${why})\n`)
  }
  if (still.length > 0 && process.env.CI === 'true') {
    process.stderr.write('CI must leave no suite out\n')
    process.exit(1)
  }
  return still.map(({ command, suite = command }) => `.${suite}.test.ts`)
}

/** Suites run as well without these packages, only longer. */
function spareWork(suites: string[]) {
  const useful = SPARING_PACKAGES.filter(({ suite }) =>
    suites.some((file) => file.endsWith(`.${suite}.test.ts`)),
  )
  const needed = missing(useful)
  if (needed.length > 0) install(needed)
}

/** Whether both servers lie there as bundles. */
async function buildAll(): Promise<boolean> {
  await ensureWeb()
  const mains = [await ensureServer('player'), await ensureServer('soc')]
  return mains.every((main) => main.endsWith('.js'))
}

async function makeCluster(suites: string[]) {
  if (!suites.some((file) => file.startsWith('apps/soc'))) return
  const { makeReadyCluster } = await import('../apps/soc/src/testing/postgres-server.ts')
  const folder = mkdtempSync(path.join(tmpdir(), 'soc-cluster-'))
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  await makeReadyCluster(folder)
}

/** All suites, or those whose path contains one of the given words. */
async function testFiles(words: string[]): Promise<string[]> {
  const found: string[] = []
  for await (const file of glob('{apps,packages,scripts,bench}/**/*.test.ts', {
    exclude: (name) => name === 'node_modules',
  })) {
    if (words.length === 0 || words.some((word) => file.includes(word))) found.push(file)
  }
  return found.sort()
}
