import type { TimedVerse } from './timing.ts'

type Label = { start: number; end: number; text: string }

/**
 * Audacity's labels, one a line: seconds from, seconds to, and a text that names the verse (`12`,
 * `67:12`, `067012`, `verse 12`). Labels without a number are remarks, unless no label has one: then
 * they are the verses in order.
 */
export function readLabels(text: string, surah: number): TimedVerse[] {
  const labels = text.split(/\r?\n/).flatMap(labelIn)
  if (labels.length === 0)
    throw new Error('has no lines of the kind: seconds, tab, seconds, tab, verse')
  const isNumbered = labels.some((label) => /\d/.test(label.text))
  return labels.flatMap((label, index) => {
    const verse = isNumbered ? verseIn(label.text, surah) : index + 1
    if (verse === undefined) return []
    const start = label.start * 1000
    // A label that was set as a point says only where the verse begins.
    return [label.end > label.start ? { verse, start, end: label.end * 1000 } : { verse, start }]
  })
}

function labelIn(line: string): Label[] {
  const found = /^\uFEFF?(\d+(?:[.,]\d+)?)\t(\d+(?:[.,]\d+)?)(?:\t(.*))?$/.exec(line.trimEnd())
  if (!found) return []
  const [, start = '', end = '', text = ''] = found
  return [{ start: number(start), end: number(end), text: text.trim() }]
}

function verseIn(text: string, surah: number): number | undefined {
  const plain = text.replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
  const both = /^\D*(\d{1,3})\s*[:_-]\s*(\d{1,3})\D*$/.exec(plain) ?? /^(\d{3})(\d{3})$/.exec(plain)
  if (both) return Number(both[1]) === surah ? Number(both[2]) : undefined
  const one = /^\D*(\d{1,3})\D*$/.exec(plain)
  return one ? Number(one[1]) : undefined
}

const number = (text: string) => Number(text.replace(',', '.'))
