import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AudioOutput } from '../../ports/audio-output.ts'
import { createEmbeddedAudio } from '../embedded-audio.ts'
import { createMpvAudio } from '../mpv-audio.ts'

const timings = { connect_ms: 2000, stall_ms: 2000, backoff_ms: [50, 100] }

/** What comes out of these devices, in true time, is in `heard.raw` of the folder: S16LE, stereo. */
export async function openEmbeddedDevice(folder: string): Promise<AudioOutput> {
  const program = join(folder, 'play')
  const device = fileURLToPath(new URL('./buffering-device.ts', import.meta.url))
  const script = `#!/bin/sh\nexec ${process.execPath} ${device} ${folder}/heard.raw "$@"\n`
  await writeFile(program, script, { mode: 0o755 })
  await writeFile(join(folder, 'heard.raw'), '')
  return createEmbeddedAudio({
    ...{ sink: 'aplay', command: program, timings },
    asound: join(folder, 'asound'),
  })
}

/** SDL's disk device plays in true time, into a file that it begins anew whenever it is opened. */
export async function openMpvDevice(folder: string): Promise<AudioOutput> {
  const program = join(folder, 'mpv')
  const device = `SDL_AUDIODRIVER=disk SDL_DISKAUDIOFILE=${folder}/heard.raw`
  const script = `#!/bin/sh\n${device} exec mpv --audio-format=s16 "$@"\n`
  await writeFile(program, script, { mode: 0o755 })
  await writeFile(join(folder, 'heard.raw'), '')
  return createMpvAudio({ ao: 'sdl', command: program, timings })
}
