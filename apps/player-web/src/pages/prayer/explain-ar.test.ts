import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSpeech } from '@manara/ui/words'
import { basisAr, type Explained, explainAr } from './explain-ar.ts'

const say = createSpeech('ar', {})
const plain: Omit<Explained, 'rule'> = {
  ...{ angle: null, rounding: 'nearest' as const, rounded_by_s: 0, method_min: 0, offset_min: 0 },
}
const bare = (text: string | undefined) => text?.replace(/[\u2066\u2069]/g, '')
const explain = (prayer: 'fajr' | 'asr' | 'isha', rule: Explained['rule'], more = {}) =>
  bare(explainAr(prayer, { ...plain, rule, ...more }, say))

test('every rule that a time can have is told in Arabic', () => {
  const date = { year: 2026, month: 5, day: 2 }
  const told = [
    explain('fajr', { kind: 'angle', angle: -19.5 }, { rounded_by_s: 20 }),
    explain('asr', { kind: 'shadow', factor: 2 }, { angle: 24.8981, offset_min: -2 }),
    explain('isha', { kind: 'after_maghrib', minutes: 120, ramadan: true }),
    explain('isha', { kind: 'night_portion', portion: 1 / 7, angle: null }),
    explain('fajr', { kind: 'nearest_day', date, angle: -18 }, { method_min: 3 }),
    explain('fajr', { kind: 'season', minutes: 91.6 }),
    explain('fajr', { kind: 'white_night', minutes: 121 }),
    explain('isha', { kind: 'timetable', minutes: 97, timetable: 'london' }),
    explain('fajr', { kind: 'timetable', minutes: 127, timetable: 'ireland' }),
    explain('isha', { kind: 'sarajevo', minutes: 116 }),
    explain('fajr', { kind: 'summer', minutes: 118, calendar: 'norway' }),
    explain('isha', { kind: 'summer', minutes: 119, calendar: 'belgium' }),
    explain('isha', { kind: 'northern_night', portion: 0.231 }),
    explain('fajr', { kind: 'northern_change' }),
    explain('isha', { kind: 'northern_five_hours' }),
    explain('asr', { kind: 'northern_no_shadow' }),
  ]
  assert.deepEqual(told, [
    'حين تكون الشمس تحت الأفق الشرقي بـ١٩٫٥°، والوقت مقرّب إلى أقرب دقيقة (+٢٠ ث).',
    'حين يزيد ظل الشيء على ظل الزوال مثليه، وارتفاع الشمس ٢٤٫٩°، وعدّلتموه −٢ د.',
    'بعد المغرب بـ١٢٠ دقيقة لأنه رمضان.',
    'بعد الغروب بسُبع الليل، لأن الليل قصير والشفق فيه طويل.',
    'كما في ٢ مايو، أقرب يوم تبلغ فيه الشمس ١٨° تحت الأفق، وتزيده الطريقة +٣ د.',
    'قبل الشروق بـ٩٢ دقيقة، بحسب طول الشفق في هذا الفصل عند لجنة تحري الهلال.',
    'قبل الشروق بـ١٢١ دقيقة، كما في تتارستان في الليالي التي لا تُظلم.',
    'بعد الغروب بـ٩٧ دقيقة، كما في تقويم لندن الموحد لهذا اليوم من السنة.',
    'قبل الشروق بـ١٢٧ دقيقة، كما في تقويم المركز الثقافي الإسلامي في أيرلندا لهذا اليوم من السنة.',
    'بعد الغروب بـ١١٦ دقيقة، بقدر ما يطول الشفق في سراييفو في هذا اليوم.',
    'قبل الشروق بـ١١٨ دقيقة، كما في التقويم المشترك في النرويج في الصيف.',
    'بعد الغروب بـ١١٩ دقيقة، كما في تقويم الهيئة التنفيذية لمسلمي بلجيكا في الصيف.',
    'بعد الغروب بـ٢٣٪ من الليل، كما تقدّره ديانت في أسابيع صيف الشمال التي لا فجر صادق فيها.',
    'في التدرّج بين زاويته وتقدير ديانت لصيف الشمال.',
    'بحيث لا يقل النهار ولا الليل عن خمس ساعات، كما تعمل ديانت في أقصى الشمال.',
    'بعد الظهر مباشرة، لأن الشمس لا تُلقي ظلًا.',
  ])
})

test('a rule of a later box is left to its own words, and a day of its own has no basis', () => {
  assert.equal(explain('fajr', { kind: 'sighted' }), undefined)
  assert.equal(basisAr({ kind: 'this_day' }, say), undefined)
  assert.match(`${basisAr({ kind: 'nearest_latitude', lat: 48.5 }, say)}`, /٤٨٫٥°/)
})
