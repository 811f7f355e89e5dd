import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { audioFilesContract } from './audio-files.contract.ts'
import { audioStreamsContract } from './audio-streams.contract.ts'
import { mediaPath } from './testing/media.ts'
import type { MakeOutput } from './testing/open-output.ts'

const SWEEP = { kind: 'file' as const, path: mediaPath('sweep.wav') }

/** What every engine promises. `makeOutput` gives one that plays in true time and reconnects quickly. */
export function audioContract(name: string, makeOutput: MakeOutput) {
  audioFilesContract(name, makeOutput)
  audioStreamsContract(name, makeOutput)

  test(`${name}: a closed output takes no more calls and leaves nothing behind`, async () => {
    const before = children()
    const output = await makeOutput()
    await output.load(SWEEP)
    await output.close()
    await assert.rejects(output.load(SWEEP))
    assert.deepEqual(children(), before)
  })
}

/** Processes that any thread of this one has started. */
const children = () =>
  readdirSync('/proc/self/task')
    .flatMap((thread) => readFileSync(`/proc/self/task/${thread}/children`, 'utf8').split(' '))
    .filter(Boolean)
