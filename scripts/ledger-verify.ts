import { readFileSync } from 'node:fs'
import { LedgerExport } from '@manara/soc-contract/evidence'
import { verifyChains } from '../apps/soc/src/features/cases/domain/chain-verdict.ts'

/**
 * `npm run ledger:verify FILE`: checks an exported evidence ledger without the service that wrote
 * it. Exit 0 when every chain holds, 1 with the first bad entry otherwise.
 */
const [file] = process.argv.slice(2)
const verdict = file ? verifyChains(readExport(file).chains) : refuse('usage: ledger:verify FILE')

for (const chain of verdict.chains) {
  const state = chain.first_bad
    ? `BAD at entry ${chain.first_bad.seq}: ${chain.first_bad.reason}`
    : 'valid'
  process.stdout.write(`case ${chain.case_id}: ${chain.entries} entries, ${state}\n`)
}
process.stdout.write(verdict.valid ? 'the ledger holds\n' : 'the ledger was tampered with\n')
process.exitCode = verdict.valid ? 0 : 1

function readExport(path: string): LedgerExport {
  let content: unknown
  try {
    content = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    return refuse(`${path}: ${(error as Error).message}`)
  }
  const { data, error } = LedgerExport.safeParse(content)
  const [issue] = error?.issues ?? []
  return data ?? refuse(`${path}: ${issue?.path.join('.')}: ${issue?.message}`)
}

function refuse(why: string): never {
  process.stderr.write(`${why}\n`)
  process.exit(1)
}
