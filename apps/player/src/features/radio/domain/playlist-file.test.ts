import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stationsIn } from './playlist-file.ts'

const A = 'http://a.example/live'
const B = 'http://b.example/'

const FILES: [what: string, text: string, expected: [name: string, url: string][]][] = [
  [
    'a bare list',
    `${A}\n${B}`,
    [
      ['a.example', A],
      ['b.example', B],
    ],
  ],
  [
    'M3U',
    `#EXTM3U\r\n#EXTINF:-1,Cairo, Egypt\r\n${A}\r\n\r\n${B}\r\n`,
    [
      ['Cairo, Egypt', A],
      ['b.example', B],
    ],
  ],
  ['M3U with attributes', `#EXTINF:-1 tvg-logo="x,y",إذاعة القرآن\n${A}`, [['إذاعة القرآن', A]]],
  ['M3U with a byte-order mark', `\uFEFF#EXTM3U\n${A}`, [['a.example', A]]],
  [
    'PLS',
    `[playlist]\nFile1=${A}\nTitle1=Cairo\nLength1=-1\nFile2=${B}\nNumberOfEntries=2`,
    [
      ['Cairo', A],
      ['b.example', B],
    ],
  ],
  ['PLS in other letters', `[Playlist]\nfile1 = ${A}\ntitle1 = Cairo`, [['Cairo', A]]],
  [
    'OPML',
    `<?xml version="1.0"?><opml version="1.0"><body><outline text="Radio"><outline type="audio" text="Quran &amp; Sunnah" URL="${A}?a=1&amp;b=2"/></outline></body></opml>`,
    [['Quran & Sunnah', `${A}?a=1&b=2`]],
  ],
  ['OPML with single quotes', `<opml><outline text='Cairo' xmlUrl='${A}'/></opml>`, [['Cairo', A]]],
  ['nothing', '#EXTM3U\n# nothing here', []],
]

for (const [what, text, expected] of FILES) {
  test(`stations are read from ${what}`, () => {
    assert.deepEqual(
      stationsIn(text).map(({ name, url }) => [name, url]),
      expected,
    )
  })
}
