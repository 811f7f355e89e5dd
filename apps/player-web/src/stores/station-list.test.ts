import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stationPieces } from './station-list.ts'

const STATIONS = Array.from({ length: 400 }, (_, at) => ({
  name: `إذاعة القرآن الكريم ${at}`,
  url: `http://radio.example/${at}`,
}))
const LISTS: [kind: string, text: string][] = [
  ['M3U', `#EXTM3U\n${STATIONS.map(({ name, url }) => `#EXTINF:-1,${name}\n${url}\n`).join('')}`],
  [
    'PLS',
    `[playlist]\n${STATIONS.map(({ name, url }, at) => `File${at}=${url}\nTitle${at}=${name}\n`).join('')}`,
  ],
  [
    'OPML',
    `<opml><body>${STATIONS.map(({ name, url }) => `<outline text="${name}" URL="${url}"/>`).join('')}</body></opml>`,
  ],
]

for (const [kind, text] of LISTS) {
  test(`a long ${kind} goes to the box in pieces that it takes, with each station whole`, () => {
    const pieces = stationPieces(text)
    for (const piece of pieces) {
      assert.ok(Buffer.byteLength(JSON.stringify({ text: piece })) <= 16 * 1024)
      const count = (what: RegExp) => piece.match(what)?.length
      assert.equal(count(/إذاعة/g), count(/http:/g))
    }
    const order = pieces.flatMap((piece) => piece.match(/http:[^\s"]+/g))
    assert.deepEqual(
      order,
      STATIONS.map(({ url }) => url),
    )
    if (kind !== 'M3U') {
      const head = kind === 'PLS' ? '[playlist]' : '<opml>'
      assert.ok(pieces.every((piece) => piece.startsWith(head)))
    }
  })
}

test('a short list goes as it is', () => {
  assert.deepEqual(stationPieces('http://a.example/'), ['http://a.example/'])
})
