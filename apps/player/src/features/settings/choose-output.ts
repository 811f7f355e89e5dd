import { invalid } from '@manara/kit/errors'
import type { AudioOutput } from '../../ports/audio-output.ts'
import type { SoundOutputs } from '../../ports/sound-outputs.ts'
import type { SettingsStore } from './settings.store.ts'

export type ChooseOutputDeps = {
  audio: Pick<AudioOutput, 'useOutput'>
  outputs: SoundOutputs
  settings: SettingsStore
}

/** Device first: what it refuses is not kept. */
export async function chooseOutput(deps: ChooseOutputDeps, output: string): Promise<void> {
  const isKnown = output === 'auto' || (await deps.outputs.look()).some(({ id }) => id === output)
  if (!isKnown) throw invalid('audio_output', 'there is no such output; GET /system lists them')
  await deps.audio.useOutput(output)
  deps.settings.save('audio_output', output)
}
