import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Span } from './align-verses.ts'
import { readLabels } from './read-labels.ts'
import { readTimingJson } from './read-timing-json.ts'
import { checkTiming, type TimedVerse } from './timing.ts'

// Surah 112 as a made-up reciter reads it.
const SPANS: Span[] = [
  [500, 4_000],
  [4_800, 7_000],
  [8_000, 9_800],
  [10_600, 12_500],
  [13_200, 16_000],
]
const STARTS = [4_500, 7_600, 10_400, 12_900]
const RECORDING = { duration_ms: 17_000, spans: SPANS }
const timed = (starts: number[]): TimedVerse[] =>
  starts.map((start, index) => ({ verse: index + 1, start }))
const ends = [7_200, 10_000, 12_600, 16_300]

const JSON_SHAPES: [name: string, data: unknown][] = [
  [
    'Quran Universal Library',
    Object.fromEntries(
      STARTS.map((start, index) => [
        `112:${index + 1}`,
        { segments: [], duration_ms: 1, timestamp_from: start, timestamp_to: ends[index] },
      ]),
    ),
  ],
  [
    'quran.com, all files',
    {
      audio_files: [
        {
          chapter_id: 111,
          verse_timings: [{ verse_key: '111:1', timestamp_from: 0, timestamp_to: 9 }],
        },
        {
          chapter_id: 112,
          verse_timings: STARTS.map((start, index) => ({
            verse_key: `112:${index + 1}`,
            timestamp_from: start,
            timestamp_to: ends[index],
            duration: -5,
            segments: [[1, start, start + 9]],
          })),
        },
      ],
    },
  ],
  [
    'quran.com, one file',
    {
      audio_file: {
        id: 7,
        timestamps: STARTS.map((start, index) => ({
          verse_key: `112:${index + 1}`,
          timestamp_from: start,
          timestamp_to: ends[index],
        })),
      },
    },
  ],
  [
    'mp3quran, with the basmala as ayah 0',
    [0, ...STARTS].map((start, ayah) => ({
      ayah,
      start_time: start,
      end_time: ayah === 0 ? 4_500 : ends[ayah - 1],
      polygon: '',
    })),
  ],
  [
    'quranic-universal-audio',
    {
      _meta: { reciter: 'x' },
      ...Object.fromEntries(
        STARTS.map((start, index) => [
          `112:${index + 1}`,
          [
            [1, 2, start, start + 500],
            [3, 4, start + 700, ends[index]],
          ],
        ]),
      ),
    },
  ],
]
for (const [name, data] of JSON_SHAPES)
  test(`times in the shape of ${name} are read and believed`, () => {
    const verses = readTimingJson(JSON.stringify(data), 112)
    const checked = checkTiming(112, verses, RECORDING)
    assert(checked.verses, 'refused')
    assert.deepEqual(
      checked.verses,
      STARTS.map((start, index) => ({ start, end: ends[index], margin: 9 })),
    )
  })

test('a key over two verses is parted, and what is guessed is not sure', () => {
  const data = {
    '112:1': [[1, 4, 4_500, 7_200]],
    '112:2-112:3': [[1, 6, 7_600, 12_600]],
    '112:4': [[1, 5, 12_900, 16_300]],
  }
  const { verses } = checkTiming(112, readTimingJson(JSON.stringify(data), 112), RECORDING)
  assert.deepEqual(
    verses?.map(({ margin }) => margin > 0),
    [true, false, false, true],
  )
})

const LABELS: [name: string, text: string][] = [
  ['numbers', '4.5\t7.2\t1\n7.6\t10\t2\n10.4\t12.6\t3\n12.9\t16.3\t4\n'],
  [
    'surah and verse, Windows line ends',
    '\uFEFF4.500000\t7.200000\t112:1\r\n7.6\t10.0\t112:2\r\n10.4\t12.6\t112:3\r\n12.9\t16.3\t112:4\r\n',
  ],
  [
    'six digits and a remark',
    '0.5\t4.0\tbasmala\n4.5\t7.2\t112001\n7.6\t10.0\t112002\n10.4\t12.6\t112003\n12.9\t16.3\t112004\n',
  ],
  ['Arabic digits', '4.5\t7.2\tآية ١\n7.6\t10.0\tآية ٢\n10.4\t12.6\tآية ٣\n12.9\t16.3\tآية ٤'],
  ['no text at all', '4.5\t7.2\n7.6\t10.0\n10.4\t12.6\n12.9\t16.3\n\\\t100\t200\n'],
]
for (const [name, text] of LABELS)
  test(`Audacity labels with ${name} are read and believed`, () => {
    const { verses } = checkTiming(112, readLabels(text, 112), RECORDING)
    assert.deepEqual(
      verses,
      STARTS.map((start, index) => ({ start, end: ends[index], margin: 9 })),
    )
  })

test('labels set as points say where verses begin, and each ends with the next', () => {
  const text = STARTS.map((start, index) => `${start / 1000}\t${start / 1000}\t${index + 1}`)
  const { verses } = checkTiming(112, readLabels(text.join('\n'), 112), RECORDING)
  assert.deepEqual(
    verses?.map(({ end }) => end),
    [7_600, 10_400, 12_900, 17_000],
  )
})

const REFUSED: [what: string, verses: TimedVerse[], reason: RegExp][] = [
  ['too few verses', timed([4_500, 7_600, 10_400]), /has 3 verses, surah 112 has 4/],
  ['a hole', timed(STARTS).filter(({ verse }) => verse !== 2), /verse 2 is missing/],
  ['a verse twice', [...timed(STARTS), { verse: 4, start: 13_000 }], /verse 4 is in it twice/],
  [
    'times that go back',
    timed([4_500, 7_600, 7_000, 12_900]),
    /verse 3 begins at 7\.0 s, not after/,
  ],
  [
    'an end before its start',
    [{ verse: 1, start: 9, end: 3 }, ...timed(STARTS).slice(1)],
    /ends before it begins/,
  ],
  [
    'times past the end',
    timed([4_500, 7_600, 10_400, 31_000]),
    /another recording: verse 4 .* 17\.0 s long/,
  ],
  ['seconds for milliseconds', timed([4.5, 7.6, 10.4, 12.9]), /must be milliseconds/],
  [
    'another recording',
    timed([2_000, 6_000, 9_200, 11_500]),
    /another recording: 0 of its 3 boundaries/,
  ],
  ['negative times', timed([-5, 7_600, 10_400, 12_900]), /begins before the recording/],
]
for (const [what, verses, reason] of REFUSED)
  test(`a timing file with ${what} is refused with the reason`, () => {
    const checked = checkTiming(112, verses, RECORDING)
    assert.equal(checked.verses, null)
    assert.match(checked.verses === null ? checked.reason : '', reason)
  })

test('without the sound to compare with, a timing file is used and not called sure', () => {
  const { verses } = checkTiming(112, timed(STARTS), { duration_ms: 17_000, spans: undefined })
  assert.deepEqual(
    verses?.map(({ margin }) => margin),
    [0, 0, 0, 0],
  )
})

test('31 verses of surah 67 are another reading, and as good as 30', () => {
  const starts = Array.from({ length: 31 }, (_, index) => index * 5_000 + 1)
  const spans = starts.map((start): Span => [start, start + 4_000])
  assert.equal(checkTiming(67, timed(starts), { duration_ms: 155_000, spans }).verses?.length, 31)
})

const FOREIGN: [what: string, text: string, reason: RegExp][] = [
  ['JSON without times', '{"a":{"b":[1,2,{"c":3}]}}', /no shape that is known/],
  ['a number', '7', /no shape that is known/],
  [
    'words of verse files',
    '[{"surah":112,"ayah":1,"segments":[[0,1,0,400]],"stats":{}}]',
    /words inside files/,
  ],
]
for (const [what, text, reason] of FOREIGN)
  test(`${what} is told from times of verses`, () => {
    assert.throws(() => readTimingJson(text, 112), reason)
  })

test('a file about other surahs says nothing about this one', () => {
  assert.deepEqual(readTimingJson('{"1:1":{"timestamp_from":0,"timestamp_to":5}}', 112), [])
  assert.throws(() => readLabels('just a note\nabout nothing', 112), /has no lines of the kind/)
})
