import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalise } from '../../normalise/normalise.ts'
import { nativePieces, nativeSpans } from './native-pieces.ts'

const pieces = (text: string, contentType = 'text/plain') => [
  ...nativePieces(contentType, Buffer.from(text)),
]
const objects = (text: string, contentType?: string) =>
  pieces(text, contentType).map((piece) => ('object' in piece ? piece.object : undefined))
const texts = (text: string, contentType?: string) =>
  pieces(text, contentType).map((piece) => ('text' in piece ? piece.text : undefined))

const HEADER = '"Timestamp","DeviceName","ProcessCommandLine"'
const ROW = '2025-01-02T03:04:05Z,pc1,"cmd /c ""a, b""'

test('a row of a table is an event with the names of its header', () => {
  assert.deepEqual(objects(`${HEADER}\r\n${ROW}"\r\n\r\n${ROW}\r\nc"\r\n${HEADER}\r\n${ROW}"`), [
    { Timestamp: '2025-01-02T03:04:05Z', DeviceName: 'pc1', ProcessCommandLine: 'cmd /c "a, b"' },
    {
      ...{ Timestamp: '2025-01-02T03:04:05Z', DeviceName: 'pc1' },
      ProcessCommandLine: 'cmd /c "a, b"\r\nc',
    },
    { Timestamp: '2025-01-02T03:04:05Z', DeviceName: 'pc1', ProcessCommandLine: 'cmd /c "a, b"' },
  ])
})

test('where a header and a row do not fit, the row is kept as it came', () => {
  assert.deepEqual(objects(`${HEADER}\n${ROW}"\na,b\n,,`)[0]?.DeviceName, 'pc1')
  assert.deepEqual(texts(`${HEADER}\n${ROW}"\na,b\n,,`), [undefined, 'a,b', ',,'])
  const [, open, next] = objects(`${HEADER}\n${ROW}"\n1,2,"open\n4,5,6`)
  assert.deepEqual([open?.ProcessCommandLine, next?.ProcessCommandLine], ['"open', '6'])
})

test('without a time below its name, it is a table only where the sender says so', () => {
  const words = 'time,place,person\nnow,here,me\n'
  assert.deepEqual(texts(words), ['time,place,person', 'now,here,me'])
  assert.deepEqual(objects(words, 'text/csv; charset=utf-8'), [
    { time: 'now', place: 'here', person: 'me' },
  ])
  assert.deepEqual(texts('1,2,3\n4,5,6', 'text/csv'), ['1,2,3', '4,5,6'])
  assert.deepEqual(texts('time,host\n2025-01-02T03:04:05Z,a'), [
    ...['time,host', '2025-01-02T03:04:05Z,a'],
  ])
})

test('two names are enough where the sender says that they are some', () => {
  assert.deepEqual(objects('host,message\nweb1,it broke', 'text/csv'), [
    { host: 'web1', message: 'it broke' },
  ])
})

test('where the sender says that it is a table, its header may be any', () => {
  assert.deepEqual(objects('Uhrzeit,Gerät,المستخدم\n1,pc1,leila', 'text/csv'), [
    { Uhrzeit: '1', Gerät: 'pc1', المستخدم: 'leila' },
  ])
  assert.deepEqual(objects('host,,message,\nweb1,b,c,d', 'text/csv'), [
    { host: 'web1', column_2: 'b', message: 'c', column_4: 'd' },
  ])
  assert.deepEqual(objects('user,user,user_2,,column_4,user\na,b,c,d,e,f', 'text/csv'), [
    { user: 'a', user_3: 'b', user_2: 'c', column_4_2: 'd', column_4: 'e', user_4: 'f' },
  ])
  assert.deepEqual(texts(',,\na,b,c', 'text/csv'), [',,', 'a,b,c'])
})

test('where nobody says so, it may not', () => {
  for (const header of ['time,Gerät,note', 'time,,note', 'time,note,note']) {
    const row = '2025-01-02T03:04:05Z,a,b'
    assert.deepEqual(texts(`${header}\n${row}`), [header, row])
  }
})

test('a table of more columns than lines of a log have loses none', () => {
  const names = Array.from({ length: 600 }, (_, at) => (at === 0 ? 'timestamp' : `name${at}`))
  const row = names.map((_, at) => (at === 0 ? '2025-01-02T03:04:05Z' : `${at}`))
  const [whole] = objects([names, row].join('\n'))
  assert.deepEqual([Object.keys(whole ?? {}).length, whole?.name599], [600, '599'])
  assert.deepEqual(texts([names, [...row, 'more']].join('\n'), 'text/csv'), [
    [...row, 'more'].join(),
  ])
})

test('a first row that is larger than an event is not looked into for a time', () => {
  const row = `2025-01-02T03:04:05Z,b,${'c'.repeat(1024 * 1024)}`
  assert.deepEqual(texts(`timestamp,a,b\n${row}`), ['timestamp,a,b', undefined])
})

test('quotes that nothing closes do not take the rows after them along', () => {
  const rows = Array.from({ length: 20_000 }, (_, at) => `"a${at},b,c`)
  const body = Buffer.from(`${HEADER}\n${rows.join('\n')}`)
  let looked = 0
  const indexOf = body.indexOf.bind(body) as (byte: number, from: number) => number
  body.indexOf = ((byte: number, from: number) => {
    const found = indexOf(byte, from)
    looked += (found < 0 ? body.length : found) - from
    return found
  }) as typeof body.indexOf
  assert.equal([...nativeSpans('text/csv', body)].length, rows.length)
  assert.ok(looked <= 4 * body.length, `${looked}`)
})

const EXPORTS: [who: string, text: string][] = [
  [
    'Kibana',
    '"@timestamp","winlog.channel","event.code","host.name","process.executable","process.command_line"\n"Jan 2, 2025 @ 03:04:05.678","Microsoft-Windows-Sysmon/Operational",1,PC1,"C:\\w\\cmd.exe","cmd /c dir"',
  ],
  [
    'Splunk',
    '"_time",host,EventCode,Channel,Computer,Image,CommandLine\n"2025-01-02T03:04:05.678+0000",relay1,1,"Microsoft-Windows-Sysmon/Operational",PC1,"C:\\w\\cmd.exe","cmd /c dir"',
  ],
  [
    'Sentinel',
    'TenantId,TimeGenerated [UTC],Computer,EventID,Channel,Image,CommandLine\na-b,"1/2/2025, 3:04:05.678 AM",PC1,1,Microsoft-Windows-Sysmon/Operational,C:\\w\\cmd.exe,cmd /c dir',
  ],
  [
    'EvtxECmd',
    'TimeCreated,EventId,Level,Provider,Channel,Computer,Payload\n2025-01-02 03:04:05.6780000,1,Info,Microsoft-Windows-Sysmon,Microsoft-Windows-Sysmon/Operational,PC1,"{""EventData"":{""Data"":[{""@Name"":""Image"",""#text"":""C:\\\\w\\\\cmd.exe""},{""@Name"":""CommandLine"",""#text"":""cmd /c dir""}]}}"',
  ],
]
for (const [who, text] of EXPORTS) {
  test(`an event of Windows in a table of ${who} has its time, host and names`, () => {
    const [piece = {}] = pieces(text)
    assert.ok(!('rejected' in piece))
    const receivedAt = Date.UTC(2026, 0, 1)
    const { at, host, process, fields } = normalise(piece, {
      ...{ receivedAt, way: 'api', newId: () => 'id' },
    })
    assert.deepEqual(
      [new Date(at).toISOString(), host, process, String(fields.EventID), fields.CommandLine],
      ['2025-01-02T03:04:05.678Z', 'PC1', 'cmd.exe', '1', 'cmd /c dir'],
    )
    assert.equal(fields.Channel, 'Microsoft-Windows-Sysmon/Operational')
  })
}
