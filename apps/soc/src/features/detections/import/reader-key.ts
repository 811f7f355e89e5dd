import { createHash } from 'node:crypto'
import { printQuery } from '@manara/log-query/print'
import { DEFAULT_MAPPINGS } from '@manara/sigma/default-mappings'
import { importSigma } from '@manara/sigma/import-sigma'
import { sourceOf } from '@manara/sigma/mappings'

/** One of each way to say something, where the readings of versions have differed. */
const WAYS = `
title: Ways
logsource: { product: linux }
detection:
    selection_texts:
        a: ['b*', '?c', '\\*', 7, '', null, true]
        b|contains|all: [c, 'd\\\\e']
        c|cased|startswith: D
        d|re: '^a.*(b|c)$'
        e|re|i: a
        f|windash|contains: ' -enc'
        g|wide|base64offset|contains: abc
        h|cidr: [10.0.0.0/8, '2001:db8::/32']
        i|fieldref: j
        j|exists: false
        k|gte: 3
        l|expand: '%m%'
    keywords: [n, 'o p*']
    filter_one: [{ q: r }, { s|endswith: [t, u] }]
    filter_two: { v|neq: w }
    condition: (1 of selection_* or keywords) and not all of filter_*
`

let key: string | undefined

/**
 * Another one where rules are read otherwise: told by what every kind of source becomes with all its
 * fields, and a rule of every way, so that nobody has to think of a number.
 */
export function readerKey(): string {
  key ??= createHash('sha256').update(JSON.stringify(readings())).digest('hex').slice(0, 16)
  return key
}

function readings() {
  const sources = DEFAULT_MAPPINGS.map((mapping) => {
    const { condition, namesOf } = sourceOf(mapping, DEFAULT_MAPPINGS)
    return [condition, Object.keys(mapping.fields ?? {}).map(namesOf)]
  })
  const { rules, skipped } = importSigma([{ name: 'ways.yml', content: WAYS }])
  const queries = rules.map((rule) => (rule.kind === 'query' ? printQuery(rule.query) : rule.kind))
  return { sources, queries, skipped }
}
