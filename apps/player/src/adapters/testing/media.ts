import { fileURLToPath } from 'node:url'

/** Absolute path of a fixture. */
export const mediaPath = (name: string) =>
  fileURLToPath(new URL(`./media/${name}`, import.meta.url))

/** Every fixture is this signal for three seconds: the frequency rises, so any stretch tells where it is. */
export const sweep = (seconds: number) =>
  0.5 * Math.sin(2 * Math.PI * (300 * seconds + 500 * seconds * seconds))

export type WavCoding = { bits: 8 | 16 | 24 | 32; float?: boolean }

/** A WAV file of the sweep, the right channel at half the strength of the left. */
export function sweepWav(rate: number, seconds: number, coding: WavCoding = { bits: 16 }): Buffer {
  const { bits, float = false } = coding
  const frames = Math.round(rate * seconds)
  const frameBytes = (2 * bits) / 8
  const file = Buffer.alloc(44 + frames * frameBytes)
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
  for (let i = 0; i < frames; i++)
    for (const [channel, strength] of [1, 0.5].entries())
      writeSample(
        file,
        44 + i * frameBytes + (channel * bits) / 8,
        strength * sweep(i / rate),
        coding,
      )
  return file
}

function writeSample(file: Buffer, at: number, value: number, { bits, float }: WavCoding) {
  if (float) file.writeFloatLE(value, at)
  else if (bits === 8) file.writeUInt8(Math.round(value * 127) + 128, at)
  else file.writeIntLE(Math.round(value * (2 ** (bits - 1) - 1)), at, bits / 8)
}
