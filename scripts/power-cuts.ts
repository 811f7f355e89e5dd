import { writeFileSync } from 'node:fs'
import { type Cut, cutPower } from '../apps/player/src/features/ota/testing/power-cuts.ts'

/** `npm run power-cuts [COUNT] [SEED]`: writes what happened to docs/power-cuts.md; 1 when a box did not start. */
const [count = 50, seed = 1] = process.argv.slice(2).map(Number)
const cuts = cutPower(count, seed)
const broken = cuts.filter(({ problems }) => problems.length > 0)
writeFileSync('docs/power-cuts.md', page(cuts))
process.stdout.write(`${cuts.length} cuts, ${broken.length} boxes broken: docs/power-cuts.md\n`)
process.exitCode = broken.length === 0 ? 0 : 1

function page(rows: Cut[]): string {
  return `# Power cuts during an update

Made by \`npm run power-cuts ${count} ${seed}\`. One box is updated ${count} times in a row. Each time the process is killed with SIGKILL at a random change of the disk: a write is left half done, a folder half deleted, anything else not done. Then the box is started as the launcher starts it. Some versions are made to fail, so that roll-backs are cut too, and every version leaves a mark in the state store and dies hard, with the log of the store still open.

A box counts as whole when a version starts, every file of it has the digest it was built with, the state store passes \`PRAGMA integrity_check\`, the old version never sees a mark of the new one, and the next update can be installed. SIGKILL does not take the kernel's memory away as a real power cut does; that the data has been handed to the disk before each next step is what the \`fsync\` rows are about.

**${rows.length - broken.length} of ${rows.length} boxes are whole.**

| | change | during | killed at | version | first start | in the end | box |
|--:|--:|---|---|---|---|---|---|
${rows.map(row).join('\n')}
`
}

function row(cut: Cut, index: number): string {
  const { at, of, during, change, fate, booted, ended, problems } = cut
  const verdict = problems.length === 0 ? 'whole' : `**broken**: ${problems.join('; ')}`
  const cells = [index + 1, `${at} of ${of}`, during.replace('_', ' '), change, fate]
  return `| ${[...cells, booted, ended, verdict].join(' | ')} |`
}
