import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIcyParser, streamTitle } from './icy.ts'

function block(text: string | Buffer): Buffer {
  const content = Buffer.from(text)
  const length = Math.ceil(content.length / 16)
  const bytes = Buffer.alloc(1 + length * 16)
  bytes[0] = length
  content.copy(bytes, 1)
  return bytes
}

const body = Buffer.concat([
  Buffer.from('0123456789'),
  block("StreamTitle='سورة البقرة';StreamUrl='';"),
  Buffer.from('abcdefghij'),
  block(''),
  Buffer.from('ABCDEFGHIJ'),
  block("StreamTitle='next';"),
  Buffer.from('xyz'),
])

for (const size of [1, 2, 3, 7, 10, 11, 16, 64, 1000])
  test(`sound and titles come apart when the body arrives ${size} bytes at a time`, () => {
    const parse = createIcyParser(10)
    const sound: Uint8Array[] = []
    const titles: string[] = []
    for (let at = 0; at < body.length; at += size)
      for (const piece of parse(body.subarray(at, at + size)))
        if (piece.type === 'data') sound.push(piece.bytes)
        else titles.push(piece.title)
    assert.equal(Buffer.concat(sound).toString(), '0123456789abcdefghijABCDEFGHIJxyz')
    assert.deepEqual(titles, ['سورة البقرة', 'next'])
  })

const OLD_ARABIC = Buffer.from('c5d0c7dac920c7e1ded1c2e420c7e1dfd1ede3', 'hex').toString('latin1')
/** A server that counts bytes. */
const cut = Buffer.from("StreamTitle='سورة ا").subarray(0, -1)

const titles: [name: string, block: Buffer, title: string | undefined][] = [
  ['UTF-8', Buffer.from("StreamTitle='الفاتحة';"), 'الفاتحة'],
  ['Latin-1', Buffer.from("StreamTitle='Récitation';", 'latin1'), 'Récitation'],
  ['Windows-1256', Buffer.from(`StreamTitle='${OLD_ARABIC}';`, 'latin1'), 'إذاعة القرآن الكريم'],
  ['a letter cut in two', Buffer.concat([cut, Buffer.from("';")]), 'سورة'],
  ['a quote inside', Buffer.from("StreamTitle='It's; here';StreamUrl='x';"), "It's; here"],
  ['padding', Buffer.concat([Buffer.from("StreamTitle='a';"), Buffer.alloc(9)]), 'a'],
  ['an empty title', Buffer.from("StreamTitle='';"), ''],
  ['no title', Buffer.from("StreamUrl='x';"), undefined],
]

for (const [name, bytes, title] of titles)
  test(`a title with ${name} is read`, () => assert.equal(streamTitle(bytes), title))
