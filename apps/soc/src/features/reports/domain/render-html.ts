import type { Block, ReportDocument } from './document.ts'
import { escapeMarkup } from './escape.ts'

// Nothing is loaded and nothing runs, wherever the file is opened.
const POLICY = "default-src 'none'; style-src 'unsafe-inline'"

const STYLE = `
:root { color-scheme: light; }
body { font: 11pt/1.5 system-ui, sans-serif; color: #1b2430; max-width: 52rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0 0 .25rem; overflow-wrap: anywhere; }
h2 { font-size: 1.15rem; margin: 2rem 0 .5rem; border-bottom: 1px solid #d5dbe3; padding-bottom: .2rem; break-after: avoid; }
.subtitle, .none { color: #5a6675; }
table { border-collapse: collapse; width: 100%; font-size: .88rem; }
th, td { text-align: start; vertical-align: top; padding: .3rem .5rem; border-bottom: 1px solid #e6eaf0; }
th { background: #f4f6f9; white-space: nowrap; }
th.wide { width: 45%; }
tr, figure { break-inside: avoid; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem 1rem; }
dt { color: #5a6675; }
dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; }
figcaption { color: #5a6675; font-size: .88rem; }
@page { size: A4; margin: 18mm 16mm; }
@media print { body { margin: 0; max-width: none; padding: 0; } }
`

export function renderHtml({ title, subtitle, blocks }: ReportDocument): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1 dir="auto">${escapeMarkup(title)}</h1>
<p class="subtitle">${escapeMarkup(subtitle)}</p>
${blocks.map(render).join('\n')}
</body>
</html>
`
}

function render(block: Block): string {
  switch (block.kind) {
    case 'heading':
      return `<h2>${escapeMarkup(block.text)}</h2>`
    case 'paragraph':
      return `<p dir="auto">${escapeMarkup(block.text).replaceAll('\n', '<br>')}</p>`
    case 'facts':
      return `<dl>${block.facts.map(renderFact).join('')}</dl>`
    case 'table':
      return block.rows.length > 0
        ? renderTable(block)
        : `<p class="none">${escapeMarkup(block.none)}</p>`
    case 'chart':
      return `<figure>${block.svg}<figcaption>${escapeMarkup(block.title)}</figcaption></figure>`
  }
}

const renderFact = ([name, value]: [string, string]) =>
  `<dt>${escapeMarkup(name)}</dt><dd dir="auto">${escapeMarkup(value)}</dd>`

/** These say the most: beside long identifiers they would be columns of single words. */
const WIDE = new Set(['Title', 'What', 'Task', 'Alert', 'Command line or message'])

function renderTable({ columns, rows }: Extract<Block, { kind: 'table' }>): string {
  const cellsOf = (cells: string[]) =>
    cells.map((cell) => `<td dir="auto">${breakable(cell)}</td>`).join('')
  const body = rows.map((cells) => `<tr>${cellsOf(cells)}</tr>`).join('\n')
  const head = columns.map(
    (name) => `<th dir="auto"${WIDE.has(name) ? ' class="wide"' : ''}>${breakable(name)}</th>`,
  )
  return `<table><thead><tr>${head.join('')}</tr></thead><tbody>${body}</tbody></table>`
}

/** Hashes and paths may break within; short words never do, which would make columns of letters. */
const breakable = (text: string) =>
  text
    .split(/(\S{24,})/)
    .map((part, index) =>
      index % 2 === 0
        ? escapeMarkup(part)
        : (part.match(/.{1,12}/gsu) ?? []).map(escapeMarkup).join('<wbr>'),
    )
    .join('')
