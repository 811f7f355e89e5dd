import type { Facts } from './facts.ts'
import { clockText } from './time-text.ts'
import { WORDS } from './words.ts'

/** Said in Arabic in every language, as the call itself is. */
export function adhan(facts: Facts) {
  const { playback, language, isTimeTrusted, now } = facts
  const { adhan: calledTo = 'manual', state } = playback
  const words = WORDS[language]
  const isAsked = calledTo === 'manual'
  const clock = isTimeTrusted ? clockText(now, facts) : ''
  const translated = isAsked ? words.adhan : words.prayers[calledTo]
  return {
    screen: 'adhan' as const,
    isRtl: language === 'ar',
    call: isAsked ? '' : 'حان الآن موعد صلاة',
    title: isAsked ? WORDS.ar.adhan : WORDS.ar.prayers[calledTo],
    subtitle: [language === 'ar' ? '' : translated, clock].filter(Boolean).join(' · '),
    state: state === 'paused' ? words.paused : '',
  }
}
