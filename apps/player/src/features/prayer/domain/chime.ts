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
  const samples = sound()
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
  for (let index = 0; index < samples.length; index++) {
    view.setInt16(44 + index * 2, Math.round((samples[index] ?? 0) * 32_767), true)
  }
  return bytes
}

function sound(): Float64Array {
  const sum = new Float64Array(RATE * SECONDS)
  for (const { at_s, hz } of BELLS) {
    for (const { ratio, level, decay_s } of PARTIALS) {
      ring(sum.subarray(Math.round(at_s * RATE)), { hz: hz * ratio, level, decay_s })
    }
  }
  // The last half second fades to silence, so that the end is no click.
  return sum.map((level, index) => {
    const fade = Math.min(1, (SECONDS - index / RATE) * 2)
    return (PEAK * fade * level) / BELLS.length
  })
}

/** A tone that turns and shrinks from one sample to the next: a small board takes a second for sines. */
function ring(sum: Float64Array, tone: { hz: number; level: number; decay_s: number }) {
  const angle = (2 * Math.PI * tone.hz) / RATE
  const shrink = Math.exp(-1 / (RATE * tone.decay_s))
  const [turn, lean] = [shrink * Math.cos(angle), shrink * Math.sin(angle)]
  let [across, up] = [tone.level, 0]
  for (let index = 0; index < sum.length; index++) {
    const attack = Math.min(1, index / (RATE * ATTACK_S))
    sum[index] = (sum[index] ?? 0) + attack * up
    const next = up * turn + across * lean
    across = across * turn - up * lean
    up = next
  }
}
