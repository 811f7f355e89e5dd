import { glob } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { cruise } from 'dependency-cruiser'

/**
 * The rules of who may import whom. A cruise that resolves nothing is green too, so every source
 * file on disk must have been read.
 */
const config = createRequire(import.meta.url)('../.dependency-cruiser.cjs')
const { output } = await cruise(['apps', 'packages'], {
  ...config.options,
  validate: true,
  ruleSet: { forbidden: config.forbidden },
})
if (typeof output === 'string') throw new Error('dependency-cruiser answered text, not a result')

const read = new Set(output.modules.map((module) => module.source))
const missed: string[] = []
let sources = 0
for await (const file of glob('{apps,packages}/*/src/**/*.{ts,tsx}', {
  exclude: (name) => name === 'node_modules',
})) {
  sources += 1
  if (!read.has(file)) missed.push(file)
}

for (const { rule, from, to } of output.summary.violations) {
  process.stdout.write(`${rule.name}: ${from} -> ${to}\n`)
}
for (const file of missed) process.stdout.write(`not read: ${file}\n`)
process.stdout.write(`${read.size} modules read, ${sources} source files on disk\n`)
process.exitCode =
  sources > 0 && missed.length === 0 && output.summary.violations.length === 0 ? 0 : 1
