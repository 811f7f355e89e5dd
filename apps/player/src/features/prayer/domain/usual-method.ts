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
  ...countries('EG SD SS ER', numbered(2)),
  // Of New Zealand's federation (fianz.com) the angles are those of Karachi.
  ...countries('PK IN AF NZ', numbered(4)),
  ...countries('US MX', numbered(1)),
  ...countries('TR CY', named('diyanet')),
  // Islamiska Förbundet, the Islamic communities of Albania and Austria, DITIB and IGMG, and the Swiss federation
  // print what Diyanet does, and so do mosques of Copenhagen and most that were looked at in the Netherlands. Montenegro's
  // takvim has its temkin, without its even angles.
  ...countries('SE AL AT DE CH LI ME DK NL', named('diyanet')),
  ...countries('XK', named('kosovo')),
  ...countries('NO', named('norway')),
  ...countries('MK', named('north_macedonia')),
  // ISNA Canada prints the Moonsighting Committee's times, not its own 15°.
  ...countries('GB CA', named('moonsighting')),
  ...countries('IE', named('ireland')),
  ...countries('IR', named('tehran')),
  // The All Ceylon Jamiyyathul Ulama: 20° and 18°, up to a minute later.
  ...countries('SG BN LK', named('singapore')),
  ...countries('ID', named('indonesia')),
  ...countries('MY', named('malaysia')),
  ...countries('BH', named('bahrain')),
  ...countries('KW', named('kuwait')),
  ...countries('QA', named('qatar')),
  ...countries('AE', named('dubai')),
  ...countries('JO', named('jordan')),
  // The Palestinian Dar al-Ifta gives minutes for Nazareth, Haifa and Jaffa too.
  ...countries('PS IL', named('palestine')),
  ...countries('OM', named('oman')),
  ...countries('MA EH', named('morocco')),
  // What imams and newspapers of Dakar give is within two minutes of Nouakchott's angles and minutes.
  ...countries('MR SN', named('mauritania')),
  ...countries('DZ', named('algeria')),
  ...countries('LY', named('libya')),
  ...countries('IQ', named('iraq')),
  ...countries('SY', named('syria')),
  ...countries('LB', named('lebanon')),
  ...countries('ZA', named('south_africa')),
  ...countries('TN', named('tunisia')),
  ...countries('FR MC', named('france')),
  ...countries('BE', named('belgium')),
  ...countries('BA', named('bosnia')),
  ...countries('RU', named('russia')),
  ...countries('KZ', named('kazakhstan')),
  ...countries('UZ', named('uzbekistan')),
  ...countries('KG', named('kyrgyzstan')),
  ...countries('MV', named('maldives')),
  ...countries('BD', named('bangladesh')),
  ...countries('AZ', named('azerbaijan')),
}

/** Where the later Asr is printed, of the Hanafi school; in Azerbaijan for both. */
const HANAFI = ['PK', 'IN', 'BD', 'AF', 'KZ', 'KG', 'UZ', 'TJ', 'AZ']

/** Where a town goes by another table than its country. */
const BY_TOWN: Record<string, Computed> = {
  ...towns('RU', ['Kazan', 'Naberezhnye Chelny', 'Nizhnekamsk', 'Almetyevsk'], named('tatarstan')),
  ...towns('GB', ['London'], named('london')),
  ...towns('MY', ['Kota Bharu'], named('kelantan')),
  // Here most mosques do print ISNA's 15°.
  ...towns('CA', ['Montreal', 'Ottawa'], numbered(1)),
  ...towns('PS', ['Gaza', 'Khan Yunis', 'Rafah', 'Jabalia', 'Deir al-Balah'], named('gaza')),
  // The Takvim of Bosnia has the towns of the Sandžak.
  ...towns('RS', ['Novi Pazar'], named('bosnia')),
  // Beyond the polar circle the calendar goes by Makkah's sun for half the year, which the box does not.
  ...towns('NO', ['Tromso'], named('diyanet')),
  // The Muslim Judicial Council goes by the Muslim World League.
  ...towns('ZA', ['Cape Town'], numbered(0)),
}

/** What most mosques of a town go by, as a first choice; the Muslim World League where none is known. */
export function usualMethod(country: string, town: string): UsualMethod {
  const computed = BY_TOWN[`${country} ${town}`] ?? BY_COUNTRY[country] ?? numbered(0)
  const asr_hanafi = HANAFI.includes(country) || computed.convention === 'tatarstan'
  return { ...computed, asr_hanafi }
}

function towns(country: string, names: string[], usual: Computed): Record<string, Computed> {
  return Object.fromEntries(names.map((name) => [`${country} ${name}`, usual]))
}

function countries(codes: string, usual: Computed): Record<string, Computed> {
  return Object.fromEntries(codes.split(' ').map((code) => [code, usual]))
}
