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
      return `**${escapeMarkdown(block.title)}**\n\n${block.svg}`
  }
}

function renderTable({ columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const line = (cells: string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`
  return [line(columns), `|${' --- |'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}
