import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCsv } from './parse-csv.ts'

const THREATFOX = `################################################################
# ThreatFox IOCs: recent - CSV format                          #
################################################################
#
# "first_seen_utc","ioc_id","ioc_value","ioc_type","threat_type","fk_malware","malware_alias","malware_printable","last_seen_utc","confidence_level","reference","tags","anonymous","reporter"
"2026-01-02 03:04:05", "1234", "203.0.113.7:443", "ip:port", "botnet_cc", "win.x", "None", "X, the bot", "", "75", "", "c2,x", "0", "abuse_ch"
"2026-01-02 03:04:06", "1235", "evil.example", "domain", "payload", "win.y", "None", "Y", "", "100", "", "", "0", "abuse_ch"
`
const URLHAUS = `# URLhaus Database Dump (CSV - recent URLs only)
#
# id,dateadded,url,url_status,last_online,threat,tags,urlhaus_link,reporter
"3","2026-01-02 03:04:05","http://evil.example/a.exe","online","","malware_download","exe","https://urlhaus.example/3/","x"
`

test('the heading of abuse.ch is its last comment', () => {
  const { candidates, skipped } = parseCsv(THREATFOX)
  assert.deepEqual(skipped, [])
  assert.partialDeepStrictEqual(candidates, [
    {
      value: '203.0.113.7',
      type: 'ip',
      score: 75,
      valid_from: '2026-01-02T03:04:05Z',
      description: 'X, the bot',
    },
    { value: 'evil.example', type: 'domain', score: 100 },
  ])
  assert.deepEqual(
    parseCsv(URLHAUS).candidates.map(({ value, description }) => [value, description]),
    [['http://evil.example/a.exe', 'malware_download']],
  )
})

test('a time without an offset is in UTC, however it is written', () => {
  const times = ['2026-01-02T03:04:05', '2026-01-02 03:04', '2026-01-02 03:04:05.678']
  const { candidates } = parseCsv(
    `value,valid_from\n${times.map((time) => `evil.example,${time}`).join('\n')}`,
  )
  assert.deepEqual(
    candidates.map(({ valid_from }) => valid_from),
    ['2026-01-02T03:04:05Z', '2026-01-02T03:04Z', '2026-01-02T03:04:05.678Z'],
  )
  const stated = parseCsv('value,valid_from\nevil.example,2026-01-02T03:04:05+03:00\n')
  assert.equal(stated.candidates[0]?.valid_from, '2026-01-02T03:04:05+03:00')
})

test('an import hash is told by its type', () => {
  const { candidates } = parseCsv(`value,type\n${'ab'.repeat(16)},imphash\n`)
  assert.partialDeepStrictEqual(candidates, [{ type: 'imphash', value: 'ab'.repeat(16) }])
})

test('a comment before single values is no heading', () => {
  const { candidates } = parseCsv('# url\n# list of today\nevil.example\n\n"b.example"\n')
  assert.deepEqual(
    candidates.map(({ value }) => value),
    ['evil.example', 'b.example'],
  )
})

const MISP = `uuid,event_id,category,type,value,comment,to_ids,date
"5","7","Network activity","ip-dst","198.51.100.7","C2",1,1469700000
"6","7","Network activity","ip-src|port","198.51.100.8|443","",1,1469700000
"7","7","Payload delivery","filename|sha256","a.exe|${'ab'.repeat(32)}","",0,1469700000
"8","7","Network activity","domain|ip","evil.example|198.51.100.9","",1,1469700000
"9","7","Payload delivery","email-src","x@evil.example","",1,1469700000
"10","7","Other","text","only words","",0,1469700000
`

test('the types of MISP and OTX are known in CSV too', () => {
  const { candidates, skipped } = parseCsv(MISP)
  assert.deepEqual(
    candidates.map(({ index, type, value, score }) => [index, type, value, score]),
    [
      [0, undefined, '198.51.100.7', undefined],
      [1, 'ip', '198.51.100.8', undefined],
      [2, 'sha256', 'ab'.repeat(32), 20],
      [3, 'domain', 'evil.example', undefined],
      [3, 'ip', '198.51.100.9', undefined],
      [4, 'email', 'x@evil.example', undefined],
    ],
  )
  assert.deepEqual(skipped, [{ index: 5, reason: 'type: text is not supported' }])
  const otx = parseCsv(`type,indicator\nFileHash-SHA256,${'cd'.repeat(32)}\nIPv4,198.51.100.7\n`)
  assert.deepEqual(
    otx.candidates.map(({ type }) => type),
    ['sha256', 'ip'],
  )
})
