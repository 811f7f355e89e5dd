import type { Facts } from './facts.ts'
import { clockText } from './time-text.ts'
import { WORDS } from './words.ts'

/** The time and the prayer that is next, as far as they are known. */
export function topLine(facts: Facts) {
  const { prayer, language, isTimeTrusted, now } = facts
  return {
    clock: isTimeTrusted ? clockText(now, facts) : '',
    next: prayer.valid
      ? `${WORDS[language].prayers[prayer.next.name]} ${clockText(prayer.next.epoch * 1000, facts)}`
      : '',
  }
}
