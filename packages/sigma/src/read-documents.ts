import { type Document, parseAllDocuments, stringify, visit } from 'yaml'
import { isMap, type Plain } from './plain-data.ts'
import { SigmaError } from './sigma-error.ts'

/** One rule or correlation, with the YAML it alone can be imported from again. */
export type SigmaDocument = { value: Plain; source: string }

/**
 * The rules of one file. `action: global`, `repeat` and `reset` are the old way to write several
 * rules in one: global values are laid over every later document, a repeat over the one before it.
 */
export const readDocuments = (content: string): SigmaDocument[] => {
  const read = parse(content)
  const found: SigmaDocument[] = []
  let global: Plain = {}
  let previous: Plain = {}
  for (const { action, value, source } of read) {
    if (action === 'global') global = overlay(global, value)
    else if (action === 'reset') global = {}
    else if (action === 'repeat') {
      previous = overlay(previous, value)
      found.push({ value: previous, source: stringify(previous) })
    } else if (action === undefined) {
      previous = overlay(value, global)
      const isWhole = Object.keys(global).length === 0
      found.push({ value: previous, source: isWhole ? source : stringify(previous) })
    } else throw new SigmaError(`action ${JSON.stringify(action)} is none of global, repeat, reset`)
  }
  if (found.length === 0) throw new SigmaError('the file has no rule')
  return found
}

const parse = (content: string) => {
  const documents = nested(() => parseAllDocuments(content.replace(/^\uFEFF/, ''), { merge: true }))
  if (!Array.isArray(documents)) return []
  return documents.flatMap((document) => {
    const [error] = document.errors
    if (error) throw new SigmaError(`not YAML: ${error.message.split('\n')[0]}`)
    if (document.contents === null) return []
    const value = nested(() => plainOf(document))
    const source = documents.length === 1 ? content : document.toString({ directives: false })
    if (!isMap(value)) throw new SigmaError('a rule is a map of title, logsource, detection …')
    const { action, ...rest } = value
    return { action, value: rest, source }
  })
}

/** The parser calls itself for each level: more of them than the stack has room for are no rule. */
const nested = <T>(read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new SigmaError('not YAML that can be read: it is nested too deeply')
  }
}

const plainOf = (document: Document): unknown => {
  visit(document, {
    // 0x1F, 007 and 1.10 are compared as they are written, not as what YAML makes of them.
    Scalar(_, node) {
      if (typeof node.value === 'number' && node.source && String(node.value) !== node.source)
        node.value = node.source
    },
  })
  try {
    return document.toJS()
  } catch (error) {
    if (error instanceof RangeError) throw error
    throw new SigmaError(`not YAML: ${error instanceof Error ? error.message : String(error)}`)
  }
}

const overlay = (below: Plain, above: Plain): Plain => {
  const merged = { ...below }
  for (const [key, value] of Object.entries(above)) {
    const under = merged[key]
    merged[key] = isMap(value) && isMap(under) ? overlay(under, value) : value
  }
  return merged
}
