import type { PrayerConfig } from '@manara/player-contract/prayer-config'

export type UsualMethod = Pick<PrayerConfig, 'method' | 'convention'>

const named = (convention: NonNullable<PrayerConfig['convention']>): UsualMethod => ({
  method: 0,
  convention,
})
const numbered = (method: PrayerConfig['method']): UsualMethod => ({ method, convention: null })

const BY_COUNTRY: Record<string, UsualMethod> = {
  ...countries('SA YE', numbered(3)),
  ...countries('EG SD SS LY SY LB PS IL IQ ER', numbered(2)),
  // 18° at both ends of the night: Malaysia since 2019, Tunisia's institute of meteorology too.
  ...countries('PK IN BD AF MY TN', numbered(4)),
  ...countries('US CA MX', numbered(1)),
  ...countries('TR CY', named('diyanet')),
  ...countries('GB IE', named('moonsighting')),
  ...countries('IR', named('tehran')),
  ...countries('SG BN ID', named('singapore')),
  ...countries('BH', named('gulf')),
  ...countries('KW', named('kuwait')),
  ...countries('QA', named('qatar')),
  ...countries('AE', named('dubai')),
  // Oman's ministry: 18°, and Maghrib five to six minutes after sunset.
  ...countries('JO OM', named('jordan')),
  ...countries('MA EH', named('morocco')),
  ...countries('FR MC', named('france')),
}

/** What most mosques of a country go by, as a first choice; the Muslim World League where none is known. */
export const usualMethod = (country: string): UsualMethod => BY_COUNTRY[country] ?? numbered(0)

function countries(codes: string, usual: UsualMethod): Record<string, UsualMethod> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, usual]))
}
