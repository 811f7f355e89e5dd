import type { Trigger } from './triggers.ts'

/**
 * A guess at how likely an event has a trigger, from the rules alone: what many rules ask for is
 * usually where events come from (a channel, an event number), what few ask for is what they hunt.
 * Only speed depends on it.
 */
export function triggerChance(trigger: Trigger, askedBy: number, ruleCount: number): number {
  const share = askedBy / ruleCount
  if (trigger.kind === 'present') return 0.3 + share
  const { text, isStart, isEnd } = trigger.literal
  const rarity = rarityOf(text)
  return isStart && isEnd ? share + rarity : askedBy * rarity
}

const RARITY: [length: number, chance: number][] = [
  [16, 0.000_000_5],
  [10, 0.000_005],
  [6, 0.000_05],
  [4, 0.000_15],
  [3, 0.000_5],
  [2, 0.002],
  [1, 0.01],
]

/** A letter beyond ASCII is worth several. */
function rarityOf(text: string): number {
  const length = text.length + 2 * text.replace(/[\0-\x7f]/g, '').length
  return RARITY.find(([least]) => length >= least)?.[1] ?? 1
}
