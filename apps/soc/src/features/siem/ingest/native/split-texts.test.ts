import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hecRawPieces } from '../hec/hec-pieces.ts'
import { nativePieces } from './native-pieces.ts'
import { splitTexts } from './split-texts.ts'

function textsIn(text: string): string[] {
  const body = Buffer.from(text)
  return [...splitTexts(body)].map(([start, end]) => body.toString('utf8', start, end))
}

const event = (code: number) =>
  `LogName=Security\r\nEventCode=${code}\r\nMessage=A\r\n\r\n\tName:\teve`
const dated = (code: number) => `03/03/2026 10:00:00 AM\r\n${event(code)}`
const xml = (text: string) =>
  `<Event xmlns='x'><System/><EventData><Data>${text}</Data></EventData></Event>`

test('the events of a Splunk forwarder are of several lines', () => {
  assert.deepEqual(textsIn(`${dated(1)}\r\n${dated(2)}\r\n\r\n${dated(3)}\r\n`), [
    ...[dated(1), dated(2), dated(3)],
  ])
  assert.deepEqual(textsIn(`${event(1)}\n${event(2)}`), [event(1), event(2)])
})

test('so they come as text/plain and by HEC raw', () => {
  const body = Buffer.from(`${dated(1)}\n${dated(2)}\n`)
  for (const pieces of [nativePieces('text/plain', body), hecRawPieces(body, {})]) {
    assert.deepEqual(
      [...pieces].map((piece) => ('text' in piece ? piece.text : undefined)),
      [dated(1), dated(2)],
    )
  }
})

test('an event as XML ends where it ends', () => {
  const script = xml('a\nb\r\n\nc')
  assert.deepEqual(textsIn(`${xml('1')}\n${script}\r\n${xml('2')}\n`), [xml('1'), script, xml('2')])
  assert.deepEqual(textsIn(`<?xml version="1.0"?>\n<Events>${xml('1')}${script}</Events>\n`), [
    xml('1'),
    script,
  ])
  assert.deepEqual(textsIn(`${xml('1')}\nplain\n<Event broken\nb`), [
    ...[xml('1'), 'plain', '<Event broken', 'b'],
  ])
})

test('however many elements stand around events, each byte is looked at a few times', () => {
  const many = '<Events>'.repeat(10_000)
  const body = Buffer.from(`<Events>${xml('1')}${many}${xml('2')}</Events>`)
  let looked = 0
  const indexOf = body.indexOf.bind(body) as (text: string, from: number) => number
  body.indexOf = ((text: string, from: number) => {
    const found = indexOf(text, from)
    looked += (found < 0 ? body.length : found) - from
    return found
  }) as typeof body.indexOf
  assert.equal([...splitTexts(body)].length, 2)
  assert.ok(looked <= 3 * body.length, `${looked}`)
})

test('all else is a text a line', () => {
  assert.deepEqual(textsIn('a\nLogName=Security\n<Event>\n'), ['a', 'LogName=Security', '<Event>'])
})
