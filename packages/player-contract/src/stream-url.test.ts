import assert from 'node:assert/strict'
import { test } from 'node:test'
import { STREAM_URL_MAX, streamUrlProblem } from './stream-url.ts'

const fine = [
  'http://radio.example/live',
  'https://radio.example:8443/live.mp3?quality=high#now',
  'http://127.0.0.1:8000/stream',
  'http://192.168.1.20:8000/',
  'http://[::1]:8000/live',
  'http://240.fm-quran.example/live',
  'http://169.254.radio.example/',
  'HTTP://RADIO.EXAMPLE/live',
  'http://إذاعة.example/القرآن',
  ' http://radio.example/live ',
]

const refused: [text: string, reason: RegExp][] = [
  ['', /complete address/],
  ['radio', /complete address/],
  ['radio.example/live', /complete address/],
  ['//radio.example/live', /complete address/],
  ['http://', /complete address/],
  ['http://:8000/live', /complete address/],
  ['http:///live', /complete address/],
  ['http:radio.example/live', /complete address/],
  ['http:\\\\radio.example/live', /complete address/],
  ['http://radio.example:99999/', /complete address/],
  ['file:///etc/passwd', /http or https/],
  ['ftp://radio.example/live', /http or https/],
  ['javascript:alert(1)', /http or https/],
  ['data:audio/mpeg;base64,AAAA', /http or https/],
  ['edl://%18%/etc/passwd', /http or https|complete address/],
  ['http://radio.example/li\nve', /control characters/],
  ['http://radio.example/live\r\nHost: x', /control characters/],
  ['ht\ttp://radio.example/', /control characters/],
  ['http://radio.example/\u0000', /control characters/],
  ['http://radio.example/\u0085', /control characters/],
  ['http://user@radio.example/', /user name or password/],
  ['http://user:secret@radio.example/', /user name or password/],
  ['http://:secret@radio.example/', /user name or password/],
  ['http://169.254.169.254/latest', /link-local/],
  ['http://0xa9fea9fe/', /link-local/],
  ['http://[::ffff:169.254.169.254]/', /link-local/],
  ['http://0.0.0.0:8000/', /unusable/],
  ['http://239.1.2.3/', /multicast/],
  ['http://255.255.255.255/', /unusable/],
  ['http://[fe80::1]/', /link-local/],
  ['http://[ff02::1]/', /multicast/],
  ['http://[::]:8000/', /unusable/],
  ['http://radio.example:0/live', /port 0/],
  [`http://radio.example/${'a'.repeat(STREAM_URL_MAX)}`, /longer than 2048/],
]

for (const text of fine)
  test(`a stream address may be ${JSON.stringify(text)}`, () =>
    assert.equal(streamUrlProblem(text), undefined))

for (const [text, reason] of refused)
  test(`a stream address must not be ${JSON.stringify(text.slice(0, 50))}`, () =>
    assert.match(streamUrlProblem(text) ?? '', reason))

test('a stream address is looked at on phones that have no URL.parse', (t) => {
  t.mock.method(URL, 'parse', () => assert.fail('it is not there'))
  assert.equal(streamUrlProblem('http://radio.example/live'), undefined)
  assert.match(streamUrlProblem('radio') ?? '', /complete address/)
})
