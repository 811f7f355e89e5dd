import type { Language } from '@manara/player-contract/settings'
import type { Facts, Trouble } from './facts.ts'
import { plainText } from './plain-text.ts'
import { topLine } from './top-line.ts'
import { WORDS } from './words.ts'

// Long enough to be read from across the room; then the clock is worth more.
const SHOWN_MS = 60_000

export const isFresh = (trouble: Trouble | undefined): trouble is Trouble =>
  trouble !== undefined && trouble.age_ms < SHOWN_MS

export function troubled(facts: Facts, { kind, message }: Trouble) {
  const { language } = facts
  return {
    screen: 'error' as const,
    isRtl: language === 'ar',
    top: topLine(facts),
    title: WORDS[language].failed[kind],
    message: capitalised(inWords(message, language)),
  }
}

const IN_ARABIC: Record<string, string> = {
  'the card was removed': 'أُخرجت بطاقة الذاكرة',
}

/** What engines report is English; what the box itself says is told in the owner's language. */
export function inWords(message: string, language: Language): string {
  const text = plainText(message)
  const translated = language === 'ar' ? IN_ARABIC[text] : undefined
  return translated ?? text
}

const capitalised = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
