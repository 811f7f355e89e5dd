/** A report before it has a format: what it says, in order. All text is plain. */
export type ReportDocument = { title: string; subtitle: string; blocks: Block[] }

export type Block =
  | { kind: 'heading'; text: string }
  | { kind: 'paragraph'; text: string }
  | { kind: 'facts'; facts: [name: string, value: string][] }
  | { kind: 'table'; columns: string[]; rows: string[][]; none: string }
  | { kind: 'chart'; title: string; svg: string }

export const heading = (text: string): Block => ({ kind: 'heading', text })
export const paragraph = (text: string): Block => ({ kind: 'paragraph', text })
export const facts = (...pairs: [string, string][]): Block => ({ kind: 'facts', facts: pairs })
/** `none` stands where there are no rows: an empty table looks like a mistake. */
export const table = (columns: string[], rows: string[][], none: string): Block => ({
  kind: 'table',
  columns,
  rows,
  none,
})
