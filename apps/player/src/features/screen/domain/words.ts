import type { OtaStatus } from '@manara/player-contract/ota'
import type { PrayerName } from '@manara/player-contract/prayer'
import type { Language } from '@manara/player-contract/settings'

export type Words = {
  prayers: Record<PrayerName, string>
  /** From Sunday. */
  weekdays: readonly string[]
  months: readonly string[]
  /** After the year of the Hijra. */
  era: string
  halves: readonly [am: string, pm: string]
  inHours(hours: string, minutes: string): string
  inMinutes(minutes: string): string
  inSeconds(countdown: string): string
  paused: string
  buffering: string
  live: string
  modes: { off: string; continuous: string; repeat_one: string; loop: string }
  repetition(which: string, of: string): string
  endless(which: string): string
  range(from: string, to: string, which: string, of: string): string
  again(countdown: string): string
  yourTurn(countdown: string): string
  verse(number: string): string
  verses(from: string, to: string): string
  ofRound(verses: string, which: string, of: string): string
  noVerses: string
  volume(percent: string): string
  noTime: string
  noPlace: string
  noCard: string
  adhan: string
  update: string
  steps: Partial<Record<OtaStatus['status'], string>>
  leaveOn: string
  failed: { playback: string; update: string }
  pairing: { title: string; hint: string }
}

const ENGLISH: Words = {
  prayers: {
    fajr: 'Fajr',
    sunrise: 'Sunrise',
    dhuhr: 'Dhuhr',
    asr: 'Asr',
    maghrib: 'Maghrib',
    isha: 'Isha',
  },
  weekdays: 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' '),
  months:
    'January February March April May June July August September October November December'.split(
      ' ',
    ),
  era: 'AH',
  halves: ['AM', 'PM'],
  inHours: (hours, minutes) => `in ${hours} h ${minutes} min`,
  inMinutes: (minutes) => `in ${minutes} min`,
  inSeconds: (countdown) => `in ${countdown}`,
  paused: 'Paused',
  buffering: 'Buffering',
  live: 'Live',
  modes: { off: '', continuous: 'Continuous', repeat_one: 'Repeat', loop: 'Loop' },
  repetition: (which, of) => `Repetition ${which} of ${of}`,
  endless: (which) => `Repetition ${which}`,
  range: (from, to, which, of) => `Surahs ${from}–${to} · ${which} of ${of}`,
  again: (countdown) => `Again in ${countdown}`,
  yourTurn: (countdown) => `Your turn ${countdown}`,
  verse: (number) => `Verse ${number}`,
  verses: (from, to) => `Verses ${from}–${to}`,
  ofRound: (verses, which, of) => `${verses} · ${which} of ${of}`,
  noVerses: 'Its verses are not known',
  volume: (percent) => `Volume ${percent}`,
  noTime: 'The clock is not set',
  noPlace: 'Set a location to see prayer times',
  noCard: 'No memory card',
  adhan: 'Adhan',
  update: 'Firmware update',
  steps: {
    downloading: 'Downloading',
    receiving: 'Receiving',
    verifying: 'Checking the signature',
    installing: 'Installing',
    rebooting: 'Restarting',
    pending_confirm: 'Trying the new version',
  },
  leaveOn: 'Please leave the power on',
  failed: { playback: 'Playback stopped', update: 'The update failed' },
  pairing: {
    title: 'Pair a phone',
    hint: 'Scan with its camera to control the box',
  },
}

const ARABIC: Words = {
  prayers: {
    fajr: 'الفجر',
    sunrise: 'الشروق',
    dhuhr: 'الظهر',
    asr: 'العصر',
    maghrib: 'المغرب',
    isha: 'العشاء',
  },
  weekdays: 'الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت'.split(' '),
  months: 'يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر'.split(' '),
  era: 'هـ',
  halves: ['ص', 'م'],
  inHours: (hours, minutes) => `بعد ${hours} س ${minutes} د`,
  inMinutes: (minutes) => `بعد ${minutes} د`,
  inSeconds: (countdown) => `بعد ${countdown}`,
  paused: 'متوقف مؤقتًا',
  buffering: 'جارٍ التحميل',
  live: 'بث مباشر',
  modes: { off: '', continuous: 'متتابع', repeat_one: 'تكرار', loop: 'تكرار مقطع' },
  repetition: (which, of) => `التكرار ${which} من ${of}`,
  endless: (which) => `التكرار ${which}`,
  range: (from, to, which, of) => `السور ${from}–${to} · ${which} من ${of}`,
  again: (countdown) => `الإعادة بعد ${countdown}`,
  yourTurn: (countdown) => `دورك ${countdown}`,
  verse: (number) => `الآية ${number}`,
  verses: (from, to) => `الآيات ${from}–${to}`,
  ofRound: (verses, which, of) => `${verses} · ${which} من ${of}`,
  noVerses: 'مواضع الآيات غير معروفة',
  volume: (percent) => `الصوت ${percent}`,
  noTime: 'الساعة غير مضبوطة',
  noPlace: 'حدد الموقع لعرض أوقات الصلاة',
  noCard: 'لا توجد بطاقة ذاكرة',
  adhan: 'الأذان',
  update: 'تحديث النظام',
  steps: {
    downloading: 'جارٍ التنزيل',
    receiving: 'جارٍ الاستلام',
    verifying: 'جارٍ التحقق من التوقيع',
    installing: 'جارٍ التثبيت',
    rebooting: 'جارٍ إعادة التشغيل',
    pending_confirm: 'جارٍ فحص الإصدار الجديد',
  },
  leaveOn: 'يُرجى عدم فصل الكهرباء',
  failed: { playback: 'توقف التشغيل', update: 'فشل التحديث' },
  pairing: {
    title: 'ربط هاتف',
    hint: 'امسح الرمز بكاميرا الهاتف للتحكم في الجهاز',
  },
}

export const WORDS: Record<Language, Words> = { en: ENGLISH, ar: ARABIC }

const ARABIC_ZERO = 0x0660

/** Arabic text counts with its own digits. */
export const digits = (value: string | number, language: Language) =>
  language === 'en'
    ? String(value)
    : String(value).replace(/\d/g, (digit) => String.fromCodePoint(ARABIC_ZERO + Number(digit)))
