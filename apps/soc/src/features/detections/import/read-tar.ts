import { invalid } from '@manara/kit/errors'
import { filesInTar } from '@manara/kit/tar'
import type { RuleFile } from './drafts.ts'
import type { Budget } from './unpack-budget.ts'

export function* readTar(archive: Buffer, budget: Budget): Generator<RuleFile> {
  for (const { name, bytes } of wholeFiles(archive)) {
    if (budget.wants(name)) yield { name, content: budget.take(name, bytes) }
  }
}

function* wholeFiles(archive: Buffer) {
  try {
    yield* filesInTar(archive)
  } catch {
    throw invalid('body', 'is not a whole tar archive: pack it again')
  }
}
