import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fold } from '@manara/log-query/fold'
import fc from 'fast-check'
import { storedLog } from '../../ports/log-store.contract.ts'
import { collectMarks } from './collect-marks.ts'
import { createGramCollector, mayContain, prepareFilterQuery } from './gram-filter.ts'
import { packLogs } from './pack-logs.ts'
import { readPacked, wholeOf } from './packed-logs.ts'

const plain = fc.string({ unit: fc.constantFrom(...'abAZ019.:- /\\'), maxLength: 70 })
const any = fc.string({ unit: fc.constantFrom(...'abZ01.: \x1f\x1eÉσΣ漢😀'), maxLength: 40 })

test('of packed events no text is denied, whatever letters and separators they hold', () => {
  const anyLog = fc.record({
    id: fc.oneof(plain, any).filter((id) => id !== ''),
    message: fc.oneof(plain, any),
    host: fc.option(fc.oneof(plain, any)),
    user: fc.option(fc.oneof(plain, any)),
    fields: fc.dictionary(plain, fc.oneof(plain, any, fc.array(fc.oneof(plain, any)), fc.nat())),
  })
  fc.assert(
    fc.property(fc.array(anyLog, { minLength: 1, maxLength: 6 }), (given) => {
      const logs = given.map((one) => storedLog(one))
      const collector = createGramCollector()
      collectMarks(collector, [wholeOf(readPacked(packLogs(logs)))])
      const filter = collector.finish()
      const wants = (text: string, field?: string) =>
        prepareFilterQuery([[{ text: fold(text), isStart: true, isEnd: true, field }]])
      for (const { id, message, host, user, fields } of logs) {
        assert.ok(mayContain(filter, wants(id, 'id')), id)
        for (const text of [message, host ?? '', user ?? '', ...Object.values(fields).flat()]) {
          assert.ok(mayContain(filter, wants(String(text))), String(text))
        }
      }
    }),
    { numRuns: 300 },
  )
})
