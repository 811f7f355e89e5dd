import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OtaStatus } from '@manara/player-contract/ota'
import { AL_BAQARAH, factsOf, NO_PRAYERS, nextPrayer } from '../testing/facts.ts'
import { type Trouble, troubleOf } from './facts.ts'
import { sceneOf } from './scene.ts'

const updateAt = (more: Partial<OtaStatus>): OtaStatus => ({
  in_progress: true,
  progress: 42,
  mode: 'pull',
  status: 'installing',
  error: '',
  ...more,
})
const REMOVED: Trouble = { kind: 'playback', message: 'the card was removed', age_ms: 0 }
const OLD: Trouble = { ...REMOVED, age_ms: 60_000 }
const FAILED = updateAt({ in_progress: false, status: 'failed', error: 'the signature is wrong' })

type Given = Parameters<typeof factsOf>
const CHOICES: [why: string, facts: Given, trouble: Trouble | undefined, screen: string][] = [
  ['nothing to do', [], undefined, 'idle'],
  ['a surah plays', [AL_BAQARAH], undefined, 'now-playing'],
  ['a surah is paused', [{ ...AL_BAQARAH, state: 'paused' }], undefined, 'now-playing'],
  ['it plays again after a trouble', [AL_BAQARAH], REMOVED, 'now-playing'],
  ['something has just gone wrong', [], REMOVED, 'error'],
  ['it went wrong a minute ago', [], OLD, 'idle'],
  ['an update is on while a surah plays', [AL_BAQARAH, { update: updateAt({}) }], OLD, 'update'],
  [
    'the box is about to start again',
    [{}, { update: updateAt({ in_progress: false, status: 'rebooting' }) }],
    undefined,
    'update',
  ],
  ['an update is over', [{}, { update: FAILED }], undefined, 'idle'],
  [
    'the adhan sounds during an update',
    [{ ...AL_BAQARAH, adhan: 'asr' }, { update: updateAt({}) }],
    REMOVED,
    'adhan',
  ],
]

for (const [why, facts, trouble, screen] of CHOICES) {
  test(`${why}: the ${screen} screen`, () =>
    assert.equal(sceneOf(factsOf(...facts), trouble).screen, screen))
}

const TELLS: [why: string, facts: Given, trouble: Trouble | undefined, shown: object][] = [
  [
    'idle: clock, date, Hijri date and the next prayer',
    [],
    undefined,
    {
      clock: '3:42',
      half: 'PM',
      date: 'Sunday, 1 March',
      hijri: '12 Ramadan 1447 AH',
      next: { name: 'Maghrib', time: '5:56 PM', countdown: 'in 2 h 14 min' },
      notice: '',
    },
  ],
  [
    'idle with 24 hours',
    [{}, { time_format_24h: true }],
    undefined,
    {
      clock: '15:42',
      half: '',
      next: { name: 'Maghrib', time: '17:56', countdown: 'in 2 h 14 min' },
    },
  ],
  [
    'idle in Arabic',
    [{}, { language: 'ar', prayer: nextPrayer('asr', 252) }],
    undefined,
    {
      isRtl: true,
      clock: '٣:٤٢',
      half: 'م',
      date: 'الأحد، ١ مارس',
      hijri: '١٢ رمضان ١٤٤٧ هـ',
      next: { name: 'العصر', time: '٣:٤٦ م', countdown: 'بعد ٤:١٢' },
    },
  ],
  [
    'idle without a time that can be trusted',
    [{}, { isTimeTrusted: false, prayer: NO_PRAYERS }],
    undefined,
    { clock: '--:--', date: '', hijri: '', next: null, notice: 'The clock is not set' },
  ],
  [
    'idle without a location still knows the date',
    [{}, { prayer: NO_PRAYERS }],
    undefined,
    { hijri: '12 Ramadan 1447 AH', next: null, notice: 'Set a location to see prayer times' },
  ],
  ['idle without a card', [{}, { isCardPresent: false }], undefined, { notice: 'No memory card' }],
  [
    'idle after a trouble: a line is left of it',
    [{ error: 'the station answered 404' }],
    OLD,
    { notice: 'Playback stopped: the station answered 404' },
  ],
  [
    'adhan: the prayer in Arabic and in the language of the owner',
    [{ ...AL_BAQARAH, adhan: 'asr' }],
    undefined,
    { call: 'حان الآن موعد صلاة', title: 'العصر', subtitle: 'Asr · 3:42 PM', state: '' },
  ],
  [
    'adhan that somebody asked for',
    [{ ...AL_BAQARAH, adhan: 'manual', state: 'paused' }, { language: 'ar' }],
    undefined,
    { call: '', title: 'الأذان', subtitle: '٣:٤٢ م', state: 'متوقف مؤقتًا' },
  ],
  [
    'update: how far it has come',
    [{}, { update: updateAt({}) }],
    undefined,
    { step: 'Installing', progress: 0.42, percent: '42%' },
  ],
  [
    'update in Arabic',
    [{}, { update: updateAt({ status: 'verifying', progress: 100 }), language: 'ar' }],
    undefined,
    { step: 'جارٍ التحقق من التوقيع', progress: 1, percent: '١٠٠٪' },
  ],
  [
    'error: what stopped and why',
    [],
    REMOVED,
    { title: 'Playback stopped', message: 'The card was removed' },
  ],
  [
    'error in Arabic',
    [{}, { language: 'ar' }],
    REMOVED,
    { title: 'توقف التشغيل', message: 'أُخرجت بطاقة الذاكرة' },
  ],
]

for (const [why, facts, trouble, shown] of TELLS) {
  test(why, () => {
    const scene = sceneOf(factsOf(...facts), trouble)
    assert.deepEqual({ ...scene, ...shown }, scene)
  })
}

test('an update that failed is a trouble before one of playback is', () => {
  const facts = factsOf({ error: 'the card was removed' }, { update: FAILED })
  assert.deepEqual(troubleOf(facts), { kind: 'update', message: 'the signature is wrong' })
  assert.equal(troubleOf(factsOf()), undefined)
})
