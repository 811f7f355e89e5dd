import assert from 'node:assert/strict'
import { test } from 'node:test'
import { looksLikePlaylist, readPlaylist, rewriteHls } from './playlist.ts'

const base = 'http://radio.example/lists/all.m3u'

const links: [name: string, text: string, ...urls: string[]][] = [
  [
    'a bare M3U',
    'http://a.example/live\nhttp://b.example/live\nhttp://a.example/live\n',
    'http://a.example/live',
    'http://b.example/live',
  ],
  ['an extended M3U', '#EXTM3U\r\n#EXTINF:-1,Cairo\r\nhttp://a.example/\r\n', 'http://a.example/'],
  ['a relative M3U', '../live.mp3', 'http://radio.example/live.mp3'],
  [
    'a PLS',
    '[playlist]\nNumberOfEntries=2\nFile1=http://a.example/1\nFile2=http://a.example/2',
    'http://a.example/1',
    'http://a.example/2',
  ],
  [
    'an XSPF of Icecast',
    `<?xml version="1.0" encoding="UTF-8"?>
<playlist xmlns="http://xspf.org/ns/0/" version="1"><title/><trackList>
<track><location>http://a.example/live?a=1&amp;b=2</location><title>Cairo</title></track>
<track><location> /other </location></track></trackList></playlist>`,
    'http://a.example/live?a=1&b=2',
    'http://radio.example/other',
  ],
  ['old line ends', '#EXTM3U\rhttp://a.example/1\r', 'http://a.example/1'],
]

for (const [name, text, ...urls] of links)
  test(`${name} leads to its streams`, () =>
    assert.deepEqual(readPlaylist(text, base), { kind: 'links', urls }))

test('a playlist of segments is HLS', () => {
  const text = '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\nseg1.ts\n'
  assert.deepEqual(readPlaylist(text, base), { kind: 'hls' })
})

for (const text of [
  '',
  '#EXTM3U\n',
  '<playlist version="1"><trackList/></playlist>',
  '[playlist]\nNumberOfEntries=0\n',
])
  test(`a playlist with nothing in it is refused: ${JSON.stringify(text)}`, () =>
    assert.throws(() => readPlaylist(text, base), /names no stream/))

test('type or name tell a playlist from sound', () => {
  assert.ok(looksLikePlaylist('audio/x-mpegurl', 'http://a.example/live'))
  assert.ok(looksLikePlaylist('audio/x-scpls; charset=utf-8', 'http://a.example/live'))
  assert.ok(looksLikePlaylist('application/vnd.apple.mpegurl', 'http://a.example/live'))
  assert.ok(looksLikePlaylist('application/xspf+xml', 'http://a.example/live'))
  assert.ok(looksLikePlaylist('text/plain', 'http://a.example/live.m3u'))
  assert.ok(looksLikePlaylist('', 'http://a.example/live.pls?x=1'))
  assert.ok(!looksLikePlaylist('audio/mpeg', 'http://a.example/live.m3u'))
  assert.ok(!looksLikePlaylist('audio/mpeg', 'http://a.example/live.mp3'))
})

test('every address in an HLS playlist is rewritten, wherever it hides', () => {
  const text = [
    '#EXTM3U',
    '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",URI="audio/index.m3u8",NAME="x"',
    '#EXT-X-KEY:METHOD=AES-128,URI="https://keys.example/1",IV=0x1',
    '#EXT-X-MAP:URI="init.mp4"',
    '#EXTINF:6,',
    'seg1.ts',
    '  http://other.example/seg2.ts  ',
    'file:///etc/passwd',
    '',
  ].join('\r\n')
  const seen: string[] = []
  const rewritten = rewriteHls(text, 'http://radio.example/hls/index.m3u8', (url) => {
    seen.push(url)
    return `http://127.0.0.1:1/${seen.length}`
  })
  assert.deepEqual(seen, [
    'http://radio.example/hls/audio/index.m3u8',
    'https://keys.example/1',
    'http://radio.example/hls/init.mp4',
    'http://radio.example/hls/seg1.ts',
    'http://other.example/seg2.ts',
    'file:///etc/passwd',
  ])
  assert.ok(!/radio|keys|other|etc/.test(rewritten))
})
