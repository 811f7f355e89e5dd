import { glob } from 'node:fs/promises'
import path from 'node:path'
import { BENCH_PACKAGES, install, missing } from '../scripts/debian-packages.ts'

/**
 * `npm run bench [word]`: each benchmark prints what it measured beside a peer or a limit of the
 * same run, and says whether it held. Run it on an idle machine. Words that begin with `--` are for the
 * benchmark itself.
 */
type Bench = { name: string; run(print: (line: string) => void): Promise<boolean> }

const peers = missing(BENCH_PACKAGES)
const why = peers.length > 0 ? install(peers) : undefined
if (why) process.stdout.write(`${peers.map(({ name }) => name).join(', ')} left out: ${why}\n`)

const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
let missed = 0
for await (const file of glob('*.bench.ts', { cwd: import.meta.dirname })) {
  if (words.length > 0 && !words.some((word) => file.includes(word))) continue
  const bench: Bench = await import(path.join(import.meta.dirname, file))
  process.stdout.write(`\n${bench.name}\n`)
  const held = await bench.run((line) => process.stdout.write(`  ${line}\n`))
  if (!held) missed += 1
  process.stdout.write(`  ${held ? 'within its limits' : 'MISSED a limit'}\n`)
}
process.exit(missed === 0 ? 0 : 1)
