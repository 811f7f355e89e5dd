import type { ParserDefinition } from '@manara/soc-contract/parsers'
import { LONGEST_READ } from '../recognise.ts'
import { compileDissect } from './compile-dissect.ts'
import { compileGrok } from './compile-grok.ts'
import { compileJson } from './compile-json.ts'
import { compileKeyValue } from './compile-key-value.ts'
import type { ReadEvent, ReadMessage } from './found.ts'

/** Throws a sentence that begins with the field that is wrong. Work is linear in the message. */
export function compileParser(definition: ParserDefinition): ReadEvent {
  if (definition.kind === 'json') return bounded(compileJson(definition))
  const read = readMessage(definition)
  return bounded(({ message }) => read(message))
}

function readMessage(definition: Exclude<ParserDefinition, { kind: 'json' }>): ReadMessage {
  switch (definition.kind) {
    case 'grok':
      return compileGrok(definition)
    case 'dissect':
      return compileDissect(definition.pattern)
    case 'key_value':
      return compileKeyValue(definition)
  }
}

const bounded =
  (read: ReadEvent): ReadEvent =>
  (log) =>
    log.message.length > LONGEST_READ ? undefined : read(log)
