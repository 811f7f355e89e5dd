import { readFileSync } from 'node:fs'

/**
 * `npm ci` refuses a lock file that lacks an optional package of another platform, and a registry
 * that does not carry that platform leaves it out of the lock without a word.
 */
type Package = { optionalDependencies?: Record<string, string> }
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Package>
}
const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
const missing = Object.values(packages)
  .flatMap(({ optionalDependencies }) => Object.keys(optionalDependencies ?? {}))
  .filter((name) => !names.has(name))
for (const name of missing) process.stdout.write(`package-lock.json lacks ${name}\n`)
process.stdout.write(`${names.size} packages in the lock file\n`)
process.exitCode = missing.length === 0 && names.size > 100 ? 0 : 1
