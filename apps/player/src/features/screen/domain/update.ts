import type { Facts } from './facts.ts'
import { topLine } from './top-line.ts'
import { digits, WORDS } from './words.ts'

export const isUpdating = ({ update }: Facts) => update.in_progress || update.status === 'rebooting'

export function updating(facts: Facts) {
  const { update, language } = facts
  const words = WORDS[language]
  const percent = Math.min(100, Math.max(0, Math.round(update.progress)))
  return {
    screen: 'update' as const,
    isRtl: language === 'ar',
    top: topLine(facts),
    title: words.update,
    step: words.steps[update.status] ?? '',
    progress: percent / 100,
    percent: language === 'ar' ? `${digits(percent, language)}٪` : `${percent}%`,
    warning: words.leaveOn,
  }
}
