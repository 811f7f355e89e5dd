import type { Trigger } from './triggers.ts'

/** An event has about so many times the letters of one field. */
const TIMES_ONE_FIELD = 20

/**
 * A guess at how likely an event has a trigger, from the rules alone: what many rules ask for is
 * usually where events come from (a channel, an event number), what few ask for is what they hunt.
 * Only speed depends on it.
 */
export function triggerChance(
  trigger: Trigger,
  askedBy: number,
  ruleCount: number,
  isTelling: (field: string) => boolean,
): number {
  const share = askedBy / ruleCount
  const field = trigger.kind === 'present' ? trigger.field : trigger.literal.field
  // Rules are looked for among those of the event's source: that it is the source tells nothing new.
  if (field !== undefined && isTelling(field)) return 1 + share
  if (trigger.kind === 'present') return 0.3 + share
  const { text, isStart, isEnd } = trigger.literal
  const rarity = rarityOf(text)
  if (field === undefined) return TIMES_ONE_FIELD * askedBy * rarity
  if (isStart && isEnd) return share + rarity
  return text.length < 3 ? rarity : askedBy * rarity
}

const RARITY: [length: number, chance: number][] = [
  [16, 0.000_000_5],
  [10, 0.000_005],
  [6, 0.000_05],
  [4, 0.000_15],
  [3, 0.000_5],
  [2, 0.05],
  [1, 0.25],
]

/** A letter beyond ASCII is worth several, a sign that stands in few texts two. */
function rarityOf(text: string): number {
  const foreign = text.replace(/[\0-\x7f]/g, '').length
  const signs = text.replace(/[^!#$%&@^`|~]/g, '').length
  const length = text.length + 2 * foreign + signs
  return RARITY.find(([least]) => length >= least)?.[1] ?? 1
}
