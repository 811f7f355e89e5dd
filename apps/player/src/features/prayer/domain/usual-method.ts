import type { PrayerConfig } from '@manara/player-contract/prayer-config'

export type UsualMethod = Pick<PrayerConfig, 'method' | 'convention' | 'asr_hanafi'>
type Computed = Pick<UsualMethod, 'method' | 'convention'>

const named = (convention: NonNullable<PrayerConfig['convention']>): Computed => ({
  method: 0,
  convention,
})
const numbered = (method: PrayerConfig['method']): Computed => ({ method, convention: null })

const BY_COUNTRY: Record<string, Computed> = {
  ...countries('SA YE', numbered(3)),
  ...countries('EG SD SS LY SY LB PS IL IQ ER', numbered(2)),
  ...countries('PK IN BD AF', numbered(4)),
  // The boards of Kazakhstan and Uzbekistan print 15° and 15.5°, and Maghrib three to five minutes later.
  ...countries('US MX KZ UZ', numbered(1)),
  ...countries('TR CY', named('diyanet')),
  // Islamiska Förbundet prints what Diyanet does. Kosovo's takvim has its temkin, without its even angles;
  // Kyrgyzstan's muftiyat has its Fajr and Maghrib.
  ...countries('SE XK KG', named('diyanet')),
  // ISNA Canada prints the Moonsighting Committee's times, not its own 15°.
  ...countries('GB IE CA', named('moonsighting')),
  ...countries('IR', named('tehran')),
  // The All Ceylon Jamiyyathul Ulama: 20° and 18°, up to a minute later.
  ...countries('SG BN LK', named('singapore')),
  ...countries('ID', named('indonesia')),
  ...countries('MY', named('malaysia')),
  ...countries('BH', named('gulf')),
  ...countries('KW', named('kuwait')),
  ...countries('QA', named('qatar')),
  ...countries('AE', named('dubai')),
  // Oman's ministry: 18°, and Maghrib five to six minutes after sunset.
  ...countries('JO OM', named('jordan')),
  ...countries('MA EH', named('morocco')),
  ...countries('DZ', named('algeria')),
  ...countries('TN', named('tunisia')),
  ...countries('FR MC', named('france')),
  ...countries('BA', named('bosnia')),
}

/** Where mosques print the later Asr, of the Hanafi school. */
const HANAFI = ['PK', 'IN', 'BD', 'AF', 'KZ', 'KG', 'UZ']

/** What most mosques of a country go by, as a first choice; the Muslim World League where none is known. */
export const usualMethod = (country: string): UsualMethod => ({
  ...(BY_COUNTRY[country] ?? numbered(0)),
  asr_hanafi: HANAFI.includes(country),
})

function countries(codes: string, usual: Computed): Record<string, Computed> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, usual]))
}
