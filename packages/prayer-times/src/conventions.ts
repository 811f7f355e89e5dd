import { byAngles, byInterval, type Method } from './method.ts'

export const CONVENTION_NAMES = [
  'diyanet',
  'moonsighting',
  'tehran',
  'singapore',
  'gulf',
  'kuwait',
  'qatar',
  'dubai',
  'jordan',
  'morocco',
  'france',
  'indonesia',
  'malaysia',
  'algeria',
  'tunisia',
  'bosnia',
  'oman',
  'kazakhstan',
  'uzbekistan',
  'kyrgyzstan',
  'maldives',
  'bangladesh',
  'azerbaijan',
  'bahrain',
  'mauritania',
  'belgium',
  'russia',
  'libya',
  'iraq',
  'tatarstan',
  'syria',
  'lebanon',
  'south_africa',
  'london',
  'norway',
  'palestine',
  'gaza',
  'north_macedonia',
  'kosovo',
  'ireland',
  'kelantan',
] as const

export type Convention = (typeof CONVENTION_NAMES)[number]

/**
 * Conventions beyond the contract's five. Angles as the institutions publish them, gathered in the
 * parameter lists of praytimes.org, aladhan.com and adhan (batoulapps); what a convention adds in minutes
 * is what its printed tables differ by. Where a table is in `official-timetables.fixture.ts`, a test holds
 * the convention against it.
 */
export const CONVENTIONS: Record<Convention, Method> = {
  // Diyanet İşleri Başkanlığı: 18° and 17° since 1983, with temkin for the breadth and height of a city:
  // sunrise 7 minutes earlier, Dhuhr 5, Asr 4 and Maghrib 7 minutes later. Since 2023 it has estimates of its
  // own from 44.5° north on, with Isha at 16° beside them.
  diyanet: {
    ...byAngles('Diyanet (Turkey)', 18, 17),
    minutes: { sunrise: -7, dhuhr: 5, asr: 4, maghrib: 7 },
    held: true,
    diyanet: true,
  },
  // Moonsighting Committee Worldwide (moonsighting.com/how-we.html): 18°, bounded by the table of
  // seasonal-twilight.ts; Dhuhr 5 and Maghrib 3 minutes later.
  moonsighting: {
    ...byAngles('Moonsighting Committee Worldwide', 18, 18),
    minutes: { dhuhr: 5, maghrib: 3 },
    seasonal: true,
  },
  // Institute of Geophysics, University of Tehran: Maghrib when the redness in the east is gone, at 4.5°.
  tehran: {
    ...byAngles('Institute of Geophysics, University of Tehran', 17.7, 14),
    maghrib_angle: 4.5,
  },
  // Majlis Ugama Islam Singapura: every time up to the full minute, Dhuhr a minute later.
  singapore: {
    ...byAngles('Majlis Ugama Islam Singapura', 20, 18),
    rounding: 'up',
    minutes: { dhuhr: 1 },
  },
  // The Gulf's older calendars, as praytimes.org and aladhan.com list them.
  gulf: byInterval('Gulf region', 19.5, 90),
  // Ministry of Awqaf and Islamic Affairs, Kuwait.
  kuwait: byAngles('Kuwait', 18, 17.5),
  // Qatar Calendar House: Fajr a minute earlier, Maghrib two to three minutes after sunset, Isha 90 minutes after that.
  qatar: { ...byInterval('Qatar', 18, 90), minutes: { fajr: -1, maghrib: 2, isha: 2 } },
  // General Authority of Islamic Affairs and Endowments (awqaf.gov.ae): the emirate's height in minutes.
  // Until 2018 its Asr was two minutes later than since 2021.
  dubai: {
    ...byAngles('Dubai (UAE)', 18.2, 18.2),
    minutes: { sunrise: -3, dhuhr: 3, asr: 1, maghrib: 3 },
  },
  // Ministry of Awqaf, Islamic Affairs and Holy Places, Jordan: the horizon of a town in the mountains, as most are.
  jordan: { ...byAngles('Jordan', 18, 18), minutes: { sunrise: -6, maghrib: 7 } },
  // Ministère des Habous et des Affaires Islamiques (habous.gov.ma).
  morocco: {
    ...byAngles('Morocco', 19, 17),
    minutes: { sunrise: -3, dhuhr: 5, maghrib: 5 },
  },
  // Union des organisations islamiques de France, now Musulmans de France. The Grande Mosquée de Paris has another.
  france: { ...byAngles('Musulmans de France (UOIF)', 12, 12), minutes: { dhuhr: 1, maghrib: 3 } },
  // Kementerian Agama (bimasislam.kemenag.go.id): ihtiyat of two minutes, Dhuhr three, and the horizon of a
  // height of some 30 m. High cities have a lower one: in Bandung Maghrib is four minutes later still.
  indonesia: {
    ...byAngles('Kementerian Agama, Indonesia', 20, 18),
    rounding: 'ummalqura',
    minutes: { fajr: 2, sunrise: -3, dhuhr: 3, asr: 2, maghrib: 3, isha: 2 },
  },
  // Jabatan Kemajuan Islam Malaysia (e-solat.gov.my): Fajr at 18° since the end of 2019. A table is that of
  // a whole zone, so that a place in it may be two minutes off.
  malaysia: {
    ...byAngles('JAKIM, Malaysia', 18, 18),
    rounding: 'ummalqura',
    minutes: { fajr: 1, dhuhr: 2, asr: 1, maghrib: 1, isha: 1 },
  },
  // JAKIM's table for Kelantan, where the State has an earlier Isha.
  kelantan: {
    ...byAngles('JAKIM, Kelantan', 18, 17),
    rounding: 'ummalqura',
    minutes: { fajr: 1, dhuhr: 2, asr: 1, maghrib: 1, isha: 1 },
  },
  // Ministère des Affaires religieuses et des Wakfs: every time up to the full minute.
  algeria: { ...byAngles('Algeria', 18, 17), rounding: 'up', minutes: { maghrib: 3 } },
  // Institut national de la météorologie.
  tunisia: { ...byAngles('Tunisia', 18, 18), minutes: { dhuhr: 7, maghrib: 2 } },
  // Takvim of the Rijaset since 2025, as it says: 18° and 16°, until then 19° and 17°; the horizon of a height of
  // 920 m, which is six minutes.
  bosnia: {
    ...byAngles('Rijaset, Bosnia and Herzegovina', 18, 16),
    minutes: { sunrise: -6, dhuhr: 1, maghrib: 6 },
    sarajevo: true,
  },
  // Ministry of Endowments and Religious Affairs (mara.gov.om): every time up to the full minute, sunrise too.
  oman: {
    ...byAngles('Oman', 18, 18),
    rounding: 'up',
    minutes: { dhuhr: 5, asr: 5, maghrib: 5 },
    held: true,
  },
  // Spiritual Administration of Muslims (muftyat.kz): three minutes of caution, in the north five, and
  // twilight a quarter of the night at most.
  kazakhstan: {
    ...byAngles('Muftiyat of Kazakhstan', 15, 15),
    minutes: { sunrise: -3, dhuhr: 3, asr: 3, maghrib: 3 },
    farther: { from: 48, minutes: { sunrise: -5, dhuhr: 5, asr: 5, maghrib: 5 } },
    high_latitude: 'twilight_angle',
  },
  // Muslim Board (fatvo.uz).
  uzbekistan: { ...byAngles('Muslim Board of Uzbekistan', 15.5, 15.5), minutes: { maghrib: 4 } },
  // Spiritual Administration of Muslims (muftiyat.kg).
  kyrgyzstan: {
    ...byAngles('Muftiyat of Kyrgyzstan', 18, 16),
    minutes: { asr: 2, maghrib: 7 },
    held: true,
  },
  // The table of salat.mv, the same for every year.
  maldives: {
    ...byAngles('Maldives', 19, 19),
    minutes: { sunrise: -1, dhuhr: 4, asr: 1, maghrib: 2 },
  },
  // Islamic Foundation: three minutes of caution after sunset, as it said of its table of 1443. What is printed
  // in its name differs by up to three minutes; the others are the mean of it.
  bangladesh: {
    ...byAngles('Islamic Foundation Bangladesh', 18, 18),
    minutes: { fajr: 1, dhuhr: 3, maghrib: 3, isha: 2 },
  },
  // Caucasus Muslims Board (qafqazislam.com): Maghrib when the redness in the east is gone, at 3.5°.
  azerbaijan: {
    ...byAngles('Caucasus Muslims Board, Azerbaijan', 16, 15),
    maghrib_angle: 3.5,
  },
  // Supreme Council for Islamic Affairs: one table for the islands, dawn and sunrise of their east, the others of
  // their west; Isha at 18°, no longer 90 minutes after Maghrib.
  bahrain: {
    ...byAngles('Supreme Council for Islamic Affairs, Bahrain', 18, 18),
    minutes: { fajr: -1, sunrise: -1, dhuhr: 1, maghrib: 1, isha: -1 },
  },
  // Ministère des Affaires islamiques et de l'Enseignement originel, as in its tables of Ramadan.
  mauritania: {
    ...byAngles('Mauritania', 19.5, 17.5),
    minutes: { fajr: 1, sunrise: -2, maghrib: 3 },
  },
  // Exécutif des musulmans de Belgique: 18°, but in summer held at an hour of the clock, or as at latitude 45°
  // (summer-calendar.ts).
  belgium: {
    ...byAngles('Executive of the Muslims of Belgium', 18, 18),
    minutes: { sunrise: -2, maghrib: 2 },
    high_latitude: 'nearest_latitude',
    summer: 'belgium',
  },
  // Spiritual Administration of Muslims of the Russian Federation (dumrf.ru), Moscow: twilight at most three tenths
  // of the night before sunrise, a quarter to three tenths after sunset.
  russia: {
    ...byAngles('DUM RF, Russia', 18, 15),
    minutes: { sunrise: -5, dhuhr: 5, maghrib: 5 },
    high_latitude: 'twilight_angle',
    russian: true,
  },
  // The table for every year that Libya's General Authority of Awqaf and Dar al-Ifta go by, of the observations of
  // 1992 to 1994: every time up to the full minute, sunrise too.
  libya: {
    ...byAngles('Libya', 18.5, 18.1),
    rounding: 'up',
    minutes: { sunrise: -1, dhuhr: 3, asr: -1, maghrib: 3 },
  },
  // Sunni Endowment Office: every time up to the full minute, sunrise too.
  iraq: {
    ...byAngles('Sunni Endowment Office, Iraq', 18, 17),
    rounding: 'up',
    minutes: { sunrise: -2, dhuhr: 5, asr: 3, maghrib: 3 },
  },
  // Spiritual Administration of Muslims of Tatarstan (dumrt.ru): the end of sahur is Fajr here, down to the
  // full minute, the others up. Its Dhuhr is the zenith; mosques keep a fixed one, in Kazan at 12:00.
  tatarstan: {
    ...byAngles('DUM RT, Tatarstan', 18, 15),
    rounding: 'up',
    minutes: { fajr: -1 },
    high_latitude: 'middle_of_the_night',
    white_nights: true,
  },
  // Ministry of Awqaf: two minutes of caution since 2025. Dhuhr is that of the table that mosques of Damascus publish.
  syria: { ...byAngles('Syria', 18, 17), minutes: { dhuhr: 1, maghrib: 2 } },
  // Dar al-Fatwa's table for every year, as others have measured it: Fajr 19.1° to 20°, Isha 17.2° to 18.1°, Maghrib
  // three to seven minutes after sunset.
  lebanon: { ...byAngles('Dar al-Fatwa, Lebanon', 19.6, 17.6), minutes: { maghrib: 5 } },
  // Jamiatul Ulama and Darul Ihsan, whose guide to their table for every year names the minutes.
  south_africa: {
    ...byAngles('Jamiatul Ulama, South Africa', 18, 18),
    minutes: { dhuhr: 5, maghrib: 3 },
  },
  // London Unified Prayer Timetable (londonprayertimes.com): its Fajr and Isha were observed and are so many minutes
  // from its sunrise and Maghrib on each day of the year; the angles are only what that is about.
  london: {
    ...byAngles('London Unified Prayer Timetable', 15, 13),
    minutes: { fajr: -3, sunrise: -3, dhuhr: 5, maghrib: 3, isha: 3 },
    timetable: 'london',
  },
  // Islamic Cultural Centre of Ireland (islamireland.ie): one table for every year, of the sun of 0 h UT some decades
  // ago; its Fajr and Isha follow no angle either.
  ireland: {
    ...byAngles('Islamic Cultural Centre of Ireland', 15, 14),
    minutes: { fajr: -3, sunrise: -3, dhuhr: 2, asr: 2, maghrib: 3, isha: 3 },
    held: true,
    timetable: 'ireland',
  },
  // Islamsk Råd Norge (bonnetid.info), whose calendar the large mosques of Oslo share: Dhuhr nine minutes after noon
  // from equinox to equinox, four in winter; Fajr and Isha down to the full minute, Dhuhr and Maghrib up.
  norway: {
    ...byAngles('Islamsk Råd Norge', 16, 15),
    rounding: 'ummalqura',
    minutes: { fajr: -1, dhuhr: 4, maghrib: 4, isha: -1 },
    high_latitude: 'middle_of_the_night',
    summer: 'norway',
  },
  // The table of al-Aqsa for every year, which the Palestinian Dar al-Ifta prints with minutes for the other towns:
  // others have measured sunrise 1.6 to 4.3 minutes earlier and Maghrib 4.9 to 7.3 minutes later than the sun.
  palestine: {
    ...byAngles('Dar al-Ifta, Palestine', 18, 18),
    minutes: { sunrise: -3, maghrib: 6 },
  },
  // Ministry of Awqaf in Gaza, as others have measured it in a table of 2020.
  gaza: { ...byAngles('Ministry of Awqaf, Gaza', 19.5, 17.5), minutes: { maghrib: 3 } },
  // Islamic Religious Community, of whose table Ramadan 1446 is known; what it has for sunrise is not.
  north_macedonia: {
    ...byAngles('Islamic Religious Community, North Macedonia', 19, 18),
    minutes: { dhuhr: 7, asr: 3, maghrib: 5, isha: -1 },
  },
  // Takvimi of the Islamic Community, an old table for every year: others have measured its imsak at 18.5° to 19.7° and
  // Isha at 17.6° to 19°. Its Asr is two minutes late in spring and eleven in December.
  kosovo: {
    ...byAngles('Islamic Community of Kosovo', 19, 18.6),
    minutes: { sunrise: -6, dhuhr: 4, asr: 6, maghrib: 8 },
  },
}
