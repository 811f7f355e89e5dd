import { textDecoder } from '@duckdb/node-api/lib/vectors/dataAccessors.js'

const exact = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * The engine's own decoder takes a U+FEFF at the start of every text for a mark of its encoding: a
 * value was then another when it was read than when it was searched. It has no option for that.
 */
export function readTextsWhole() {
  textDecoder.decode = exact.decode.bind(exact)
}
