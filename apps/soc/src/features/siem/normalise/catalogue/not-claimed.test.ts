import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalise } from '../normalise.ts'
import { PARSER } from '../parsed.ts'

// Words that mark a format, in lines of somebody else: a wrong reading misleads more than none.
const NOT_OURS = [
  'the dial shows %ASA-ish values and 100% load',
  'see the TRAFFIC,THREAT,SYSTEM report of March',
  'a,b,c,TRAFFIC,d,e,f',
  'user asked: is the firewall, system, or dhcp, to blame?',
  'an arrow -> is not a connection: proto nothing',
  'we had 12 cases of TCP_MISS/200 in the report',
  'the operation REST.GET.OBJECT costs more',
  'it says "Allowed","Blocked" in the header row',
  '2026-03-03 10:00:00 install the new router for us',
  'query[A] of the quarter',
  'DHCP for beginners',
  '# Time: what is it?',
  'connection ended: user LOG:  nothing',
  'Failed to start the car',
  'The [Classification: secret] stamp is missing',
  'time="now" level=up msg="hello"',
  'a wireguard: b',
  'GET / "HTTP/1.1" "no log"',
  ', client: nobody, server: none',
]

for (const text of NOT_OURS) {
  test(`nothing is read out of: ${text}`, () => {
    const arrival = { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id' }
    const log = normalise({ text }, arrival)
    const parser = log.fields[PARSER]
    assert.ok(parser === undefined || parser === 'generic.key_value', String(parser))
    assert.equal(log.message, text)
    assert.deepEqual([log.src_ip, log.dst_ip], [null, null])
  })
}
