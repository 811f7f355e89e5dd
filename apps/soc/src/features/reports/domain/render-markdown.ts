import type { Point } from './charts.ts'
import type { Block, ReportDocument } from './document.ts'
import { escapeMarkdown } from './escape.ts'

export function renderMarkdown({ title, subtitle, blocks }: ReportDocument): string {
  const parts = [`# ${escapeMarkdown(title)}`, escapeMarkdown(subtitle), ...blocks.map(render)]
  return `${parts.join('\n\n')}\n`
}

function render(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `## ${escapeMarkdown(block.text)}`
    case 'paragraph':
      return escapeMarkdown(block.text)
    case 'facts':
      return block.facts
        .map(([name, value]) => `- **${escapeMarkdown(name)}:** ${escapeMarkdown(value)}`)
        .join('\n')
    case 'table':
      return block.rows.length > 0 ? renderTable(block) : `*${escapeMarkdown(block.none)}*`
    case 'chart':
      return `**${escapeMarkdown(block.title)}**\n\n${renderPoints(block.points)}`
  }
}

/** Markdown is read as text, where a drawing would be its source. */
const renderPoints = (points: Point[]) =>
  renderTable({
    columns: ['Label', 'Count'],
    rows: points.map(({ label, value }) => [label, String(value)]),
  })

function renderTable({ columns, rows }: { columns: string[]; rows: string[][] }): string {
  const line = (cells: string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}
