const RATE = 22_050
const SECONDS = 6
const PEAK = 0.5

/** Two bells a fifth apart and their octave: soft, short, and not to be taken for an alarm. */
const BELLS = [
  { at_s: 0, hz: 392 },
  { at_s: 0.9, hz: 587.33 },
  { at_s: 1.8, hz: 784 },
]

// A bell's partials as multiples of its tone; the higher ones are fainter and die sooner.
const PARTIALS = [
  { ratio: 1, level: 1, decay_s: 1.6 },
  { ratio: 2.0, level: 0.35, decay_s: 0.9 },
  { ratio: 3.01, level: 0.15, decay_s: 0.5 },
]
const ATTACK_S = 0.012

/** A WAV file, mono and 16 bit: what announces a prayer when there is no adhan to play. */
export function chimeWav(): Uint8Array {
  const samples = Int16Array.from({ length: RATE * SECONDS }, (_, index) =>
    Math.round(soundAt(index / RATE) * 32_767),
  )
  const bytes = new Uint8Array(44 + samples.length * 2)
  const view = new DataView(bytes.buffer)
  const text = (offset: number, word: string) =>
    bytes.set(
      Uint8Array.from(word, (letter) => letter.charCodeAt(0)),
      offset,
    )
  text(0, 'RIFF')
  view.setUint32(4, bytes.length - 8, true)
  text(8, 'WAVEfmt ')
  view.setUint32(16, 16, true)
  view.setUint16(20, 1, true)
  view.setUint16(22, 1, true)
  view.setUint32(24, RATE, true)
  view.setUint32(28, RATE * 2, true)
  view.setUint16(32, 2, true)
  view.setUint16(34, 16, true)
  text(36, 'data')
  view.setUint32(40, samples.length * 2, true)
  for (const [index, sample] of samples.entries()) view.setInt16(44 + index * 2, sample, true)
  return bytes
}

function soundAt(time_s: number): number {
  let sum = 0
  for (const { at_s, hz } of BELLS) {
    const since = time_s - at_s
    if (since < 0) continue
    const attack = Math.min(1, since / ATTACK_S)
    for (const { ratio, level, decay_s } of PARTIALS) {
      sum +=
        attack * level * Math.exp(-since / decay_s) * Math.sin(2 * Math.PI * hz * ratio * since)
    }
  }
  // The last half second fades to silence, so that the end is no click.
  const fade = Math.min(1, (SECONDS - time_s) * 2)
  return (PEAK * fade * sum) / BELLS.length
}
