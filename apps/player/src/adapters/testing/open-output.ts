import type { TestContext } from 'node:test'
import type { AudioOutput } from '../../ports/audio-output.ts'
import { record } from './recorder.ts'

export type MakeOutput = () => Promise<AudioOutput>

/** An output that ends with the test, and all that it tells. */
export async function openOutput(context: TestContext, makeOutput: MakeOutput) {
  const output = await makeOutput()
  context.after(() => output.close())
  return { output, recorder: record(output) }
}
