import { asText, asTexts, isMap, type Plain } from './plain-data.ts'
import { SigmaError } from './sigma-error.ts'

export type Logsource = { product?: string; category?: string; service?: string }

export type SigmaRule = {
  id: string | null
  /** What correlations may call it by. */
  name: string | null
  title: string
  status: string | null
  level: Level | null
  description: string | null
  author: string | null
  date: string | null
  modified: string | null
  references: string[]
  tags: string[]
  /** From the tags `attack.t…`, written as MITRE does: T1059.001. */
  techniques: string[]
  falsepositives: string[]
  fields: string[]
  /** Null for a correlation. */
  logsource: Logsource | null
}

const LEVELS = ['informational', 'low', 'medium', 'high', 'critical'] as const
export type Level = (typeof LEVELS)[number]

export const readRule = (document: Plain): SigmaRule => {
  const title = asText(document.title)
  if (!title) throw new SigmaError('title is missing')
  const tags = asTexts(document.tags)
  return {
    id: asText(document.id),
    name: asText(document.name),
    title,
    status: asText(document.status),
    level: levelOf(document.level),
    description: asText(document.description),
    author: asTexts(document.author).join(', ') || null,
    date: asText(document.date),
    modified: asText(document.modified),
    references: asTexts(document.references),
    tags,
    techniques: tags
      .flatMap((tag) => /^attack\.(t\d{4}(?:\.\d{3})?)$/i.exec(tag)?.[1] ?? [])
      .map(upper),
    falsepositives: asTexts(document.falsepositives),
    fields: asTexts(document.fields),
    logsource: isMap(document.logsource) ? logsourceOf(document.logsource) : null,
  }
}

const upper = (text: string) => text.toUpperCase()

const levelOf = (value: unknown): Level | null => {
  const text = asText(value)?.toLowerCase()
  if (!text) return null
  const level = LEVELS.find((known) => known === text)
  if (!level) throw new SigmaError(`level ${text} is none of ${LEVELS.join(', ')}`)
  return level
}

export const logsourceOf = (value: Plain): Logsource => {
  const logsource: Logsource = {}
  for (const key of ['product', 'category', 'service'] as const) {
    const text = asText(value[key])
    if (text) logsource[key] = text.toLowerCase()
  }
  return logsource
}
