import type { OwnParser, ParserDefinition, ParserSample } from '@manara/soc-contract/parsers'

/** A definition as it is typed: what is several is one a line, so that it can be pasted. */
export type Draft = {
  kind: ParserDefinition['kind']
  pattern: string
  /** `DOOR [a-z]+-door` a line. */
  definitions: string
  from: string
  /** `src_ip = $.client.ip` a line. */
  paths: string
  pair: string
  value: string
  /** `srcip = src_ip` a line. */
  rename: string
}

/** A sample as it is typed: `user = leila` a line; nothing means that it must not be read. */
export type SampleDraft = { text: string; expect: string }

const EMPTY: Draft = {
  ...{ kind: 'grok', pattern: '', definitions: '', from: '', paths: '' },
  ...{ pair: ' ', value: '=', rename: '' },
}

export function draftOf(definition?: ParserDefinition): Draft {
  if (!definition) return EMPTY
  const { kind } = definition
  switch (kind) {
    case 'grok':
      return {
        ...{ ...EMPTY, kind, pattern: definition.pattern },
        definitions: toLines(definition.definitions, ' '),
      }
    case 'dissect':
      return { ...EMPTY, kind, pattern: definition.pattern }
    case 'json':
      return { ...EMPTY, kind, from: definition.from ?? '', paths: toLines(definition.paths) }
    case 'key_value':
      return {
        ...{ ...EMPTY, kind, pair: definition.pair_separator, value: definition.value_separator },
        rename: toLines(definition.rename),
      }
  }
}

export function definitionOf(draft: Draft): ParserDefinition {
  switch (draft.kind) {
    case 'grok':
      return {
        ...{ kind: 'grok', pattern: draft.pattern },
        definitions: fromLines(draft.definitions, ' '),
      }
    case 'dissect':
      return { kind: 'dissect', pattern: draft.pattern }
    case 'json':
      return {
        ...{ kind: 'json', paths: fromLines(draft.paths) },
        ...(draft.from.trim() === '' ? {} : { from: draft.from.trim() }),
      }
    case 'key_value':
      return {
        ...{ kind: 'key_value', pair_separator: draft.pair, value_separator: draft.value },
        rename: fromLines(draft.rename),
      }
  }
}

/** Whether there is anything to try. */
export const isBegun = ({ kind, pattern, paths }: Draft): boolean =>
  kind === 'key_value' || (kind === 'json' ? paths : pattern).trim() !== ''

export const sampleDraftsOf = (samples: OwnParser['samples']): SampleDraft[] =>
  samples.map(({ text, expect }) => ({ text, expect: toLines(expect) }))

export const samplesOf = (drafts: readonly SampleDraft[]): ParserSample[] =>
  drafts
    .filter(({ text }) => text.trim() !== '')
    .map(({ text, expect }) => ({ text, expect: fromLines(expect) }))

export const toLines = (pairs: Record<string, unknown>, between = ' = ') =>
  Object.entries(pairs)
    .map(([name, value]) => `${name}${between}${value}`)
    .join('\n')

/** The first `=` parts a line, or the first space; a line without is a name with nothing. */
function fromLines(text: string, between = '='): Record<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.trim().indexOf(between)
      if (at < 0) return [line.trim(), '']
      return [
        line.trim().slice(0, at).trim(),
        line
          .trim()
          .slice(at + between.length)
          .trim(),
      ]
    }),
  )
}

export type Piece = { text: string; isWrong: boolean }

/** A pattern with what the service complains about marked, where the complaint quotes it. */
export function marked(pattern: string, complaint: string): Piece[] {
  const quoted =
    /`([^`]+)`/.exec(complaint)?.[1] ??
    /%\{\w+(?=\})/.exec(complaint)?.[0] ??
    /pattern: (\S+) is no/.exec(complaint)?.[1]
  const at = quoted === undefined ? -1 : pattern.indexOf(quoted)
  if (quoted === undefined || at < 0) return []
  // Of a name the whole reference, with the field it fills.
  const end = quoted.startsWith('%{') ? pattern.indexOf('}', at) + 1 : at + quoted.length
  return [
    { text: pattern.slice(0, at), isWrong: false },
    { text: pattern.slice(at, end), isWrong: true },
    { text: pattern.slice(end), isWrong: false },
  ]
}
