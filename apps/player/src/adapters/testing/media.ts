import { fileURLToPath } from 'node:url'

/** Absolute path of a fixture. */
export const mediaPath = (name: string) =>
  fileURLToPath(new URL(`./media/${name}`, import.meta.url))

/** Every fixture is this signal for three seconds: the frequency rises, so any stretch tells where it is. */
export const sweep = (seconds: number) =>
  0.5 * Math.sin(2 * Math.PI * (300 * seconds + 500 * seconds * seconds))

export type WavCoding = { bits: 8 | 16 | 24 | 32; float?: boolean }

/** A WAV file of 16 bits; `sampleOf` gives left and right of each frame. */
export function wavFile(
  rate: number,
  frames: number,
  sampleOf: (frame: number) => [left: number, right: number],
): Buffer {
  const file = wavHead(rate, frames, { bits: 16 })
  for (let i = 0; i < frames; i++)
    for (const [channel, sample] of sampleOf(i).entries())
      file.writeInt16LE(sample, HEAD + i * 4 + channel * 2)
  return file
}

/** A WAV file of the sweep, the right channel at half the strength of the left. */
export function sweepWav(rate: number, seconds: number, coding: WavCoding = { bits: 16 }): Buffer {
  const frames = Math.round(rate * seconds)
  const frameBytes = (2 * coding.bits) / 8
  const file = wavHead(rate, frames, coding)
  for (let i = 0; i < frames; i++)
    for (const [channel, strength] of [1, 0.5].entries())
      writeSample(
        file,
        HEAD + i * frameBytes + (channel * coding.bits) / 8,
        strength * sweep(i / rate),
        coding,
      )
  return file
}

const HEAD = 44

/** The whole file, with silence in it. */
function wavHead(rate: number, frames: number, { bits, float = false }: WavCoding): Buffer {
  const frameBytes = (2 * bits) / 8
  const file = Buffer.alloc(HEAD + frames * frameBytes)
  file.write('RIFF', 0, 'latin1')
  file.writeUInt32LE(file.length - 8, 4)
  file.write('WAVEfmt ', 8, 'latin1')
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(float ? 3 : 1, 20)
  file.writeUInt16LE(2, 22)
  file.writeUInt32LE(rate, 24)
  file.writeUInt32LE(rate * frameBytes, 28)
  file.writeUInt16LE(frameBytes, 32)
  file.writeUInt16LE(bits, 34)
  file.write('data', 36, 'latin1')
  file.writeUInt32LE(frames * frameBytes, 40)
  return file
}

function writeSample(file: Buffer, at: number, value: number, { bits, float }: WavCoding) {
  if (float) file.writeFloatLE(value, at)
  else if (bits === 8) file.writeUInt8(Math.round(value * 127) + 128, at)
  else file.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, bits / 8)
}
