import type { ParserDefinition, ParserSample, SampleResult } from '@manara/soc-contract/parsers'
import type { NormalisedLog } from '../normalise.ts'
import { applyFound, shownValue } from './apply-found.ts'
import { compileParser } from './own-parser.ts'

/** Whether a parser finds in its own samples what it was made for. */
export function checkSamples(
  definition: ParserDefinition,
  samples: readonly ParserSample[],
  receivedAt: number,
): SampleResult[] {
  const read = compileParser(definition)
  return samples.map(({ text, expect }, index) => {
    const log = bareLog(text, receivedAt)
    const found = read(log)
    const problem = found
      ? firstDifference(applyFound(log, found, 'sample'), expect)
      : Object.keys(expect).length > 0
        ? 'is not read at all'
        : undefined
    return { index, passed: problem === undefined, problem: problem ?? null }
  })
}

function firstDifference(log: NormalisedLog, expect: ParserSample['expect']): string | undefined {
  const wanted = Object.entries(expect)
  if (wanted.length === 0) return 'must not be read, and is'
  for (const [name, value] of wanted) {
    const found = shownValue(log, name)
    if (String(found) === String(value)) continue
    return `${name}: expected ${JSON.stringify(value)}, found ${JSON.stringify(found)}`
  }
  return undefined
}

const bareLog = (message: string, receivedAt: number): NormalisedLog => ({
  ...{ id: 'sample', at: receivedAt, received_at: receivedAt, source: 'sample', message },
  ...{ host: null, severity: 'info', user: null, process: null, event_code: null },
  ...{ src_ip: null, dst_ip: null, fields: {}, original: null },
})
