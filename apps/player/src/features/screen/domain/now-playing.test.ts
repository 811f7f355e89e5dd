import assert from 'node:assert/strict'
import { test } from 'node:test'
import { A_STATION, AL_BAQARAH, factsOf } from '../testing/facts.ts'
import { nowPlaying } from './now-playing.ts'

type Scene = ReturnType<typeof nowPlaying>
const HIFZ = { repeat_done: 2, repeat_target: 10, pause_s: 30, waiting: false }
const RANGE = { ...HIFZ, ab_start: 78, ab_end: 114 }
const repeating = { ...AL_BAQARAH, advance_mode: 'hifz_repeat' } as const
const drilling = { ...AL_BAQARAH, advance_mode: 'hifz_verses', verse: 3 } as const
const DRILL = { ...HIFZ, repeat_done: 1, repeat_target: 5, round: { from: 3, to: 3 } }
const ranging = { ...AL_BAQARAH, advance_mode: 'hifz_ab' } as const

const SCENES: [why: string, facts: Parameters<typeof factsOf>, shown: Partial<Scene>][] = [
  [
    'a surah by its two names, its reciter and its place',
    [AL_BAQARAH],
    {
      title: 'سورة البقرة',
      subtitle: '2 · Al-Baqarah',
      detail: 'Mahmoud Khalil Al-Husary',
      progress: 754 / 7_087,
      elapsed: '12:34',
      total: '1:58:07',
      state: '',
      note: '',
      aside: 'Volume 45',
      top: { clock: '3:42 PM', next: 'Maghrib 5:56 PM' },
    },
  ],
  [
    'a file that is no surah by its name',
    [
      {
        ...AL_BAQARAH,
        surah_number: 0,
        track: 'Adhkar/morning.remembrance.mp3',
        reciter: 'Adhkar',
      },
    ],
    { title: 'morning.remembrance', subtitle: 'Adhkar', detail: '' },
  ],
  [
    'a station with what it says it plays, and no bar',
    [{ ...A_STATION, stream_title: 'Al-Minshawi\n' }],
    {
      title: 'إذاعة القرآن الكريم',
      subtitle: 'Al-Minshawi',
      detail: 'radio.example',
      progress: null,
      elapsed: '',
      total: '',
      state: 'Live',
    },
  ],
  [
    'a stream without a name by its host',
    [{ ...A_STATION, station: '', state: 'buffering' }],
    { title: 'radio.example', detail: '', state: 'Buffering' },
  ],
  ['a pause', [{ ...AL_BAQARAH, state: 'paused' }], { state: 'Paused' }],
  ['what follows', [{ ...AL_BAQARAH, advance_mode: 'continuous' }], { note: 'Continuous' }],
  ['no advance mode on the radio', [{ ...A_STATION, advance_mode: 'continuous' }], { note: '' }],
  ['the repetition that is on', [{ ...repeating, hifz: HIFZ }], { note: 'Repetition 3 of 10' }],
  [
    'an endless repetition without an end',
    [{ ...repeating, hifz: { ...HIFZ, repeat_target: 0 } }],
    { note: 'Repetition 3' },
  ],
  [
    'the range of a drill',
    [{ ...ranging, hifz: RANGE }],
    { note: 'Surahs 78–114 · 3 of 10', isWaiting: false },
  ],
  [
    'the silence with the repetition that is over and what is left of it',
    [{ ...repeating, hifz: { ...HIFZ, waiting: true } }, { gap_ms: 23_400 }],
    {
      title: 'سورة البقرة',
      note: 'Repetition 2 of 10',
      aside: 'Again in 0:24',
      isWaiting: true,
      state: '',
    },
  ],
  [
    'the last moment of the silence as its last second',
    [{ ...repeating, hifz: { ...HIFZ, waiting: true } }, { gap_ms: 1 }],
    { aside: 'Again in 0:01' },
  ],
  [
    'a verse that is memorised, with its repetitions as beads',
    [{ ...drilling, hifz: DRILL }],
    {
      subtitle: '2 · Al-Baqarah · Verse 3',
      note: 'Verse 3 · 2 of 5',
      beads: { done: 1, of: 5 },
      isWaiting: false,
    },
  ],
  [
    'the learner’s turn after linked verses, counting down',
    [
      { ...drilling, hifz: { ...DRILL, waiting: true, repeat_done: 2, round: { from: 1, to: 3 } } },
      { gap_ms: 6_200 },
    ],
    { note: 'Verses 1–3 · 2 of 5', aside: 'Your turn 0:07', isWaiting: true },
  ],
  [
    'why a drill is not one',
    [{ ...drilling, hifz: { ...DRILL, problem: 'the verses are not known' } }],
    { note: 'Its verses are not known', beads: null },
  ],
  ['a loop', [{ ...AL_BAQARAH, advance_mode: 'loop' }], { note: 'Loop' }],
  [
    'Arabic words and digits',
    [{ ...ranging, hifz: RANGE, state: 'paused' }, { language: 'ar' }],
    {
      isRtl: true,
      elapsed: '١٢:٣٤',
      note: 'السور ٧٨–١١٤ · ٣ من ١٠',
      aside: 'الصوت ٤٥',
      state: 'متوقف مؤقتًا',
      top: { clock: '٣:٤٢ م', next: 'المغرب ٥:٥٦ م' },
    },
  ],
  ['a file of unknown length from its start', [{ ...AL_BAQARAH, duration: 0 }], { progress: 0 }],
  ['a place beyond the end at the end', [{ ...AL_BAQARAH, position: 7_090_000 }], { progress: 1 }],
  [
    'no time while nobody vouches for it',
    [
      AL_BAQARAH,
      {
        isTimeTrusted: false,
        prayer: { valid: false, reason: '', config: factsOf().prayer.config },
      },
    ],
    { top: { clock: '', next: '' } },
  ],
]

for (const [why, facts, shown] of SCENES) {
  test(`now playing shows ${why}`, () => {
    const scene = nowPlaying(factsOf(...facts))
    assert.deepEqual({ ...scene, ...shown }, scene)
  })
}
