import type { ComponentChildren } from 'preact'

/**
 * A report as it is written in Markdown by the service: texts escaped, charts as SVG on a line of
 * their own. Texts become text and a chart becomes a picture, in which nothing runs and nothing is
 * loaded: no markup of a report is ever part of the page.
 */
export const ReportText = ({ text }: { text: string }) => (
  <div class="report-text">
    {text
      .trim()
      .split(/\n{2,}/)
      // The title stands above.
      .filter((block, at) => at > 0 || !block.startsWith('# '))
      .map((block, at) => (
        <Block key={at} text={block} />
      ))}
  </div>
)

function Block({ text }: { text: string }) {
  const lines = text.split('\n')
  if (text.startsWith('## ')) return <h3 dir="auto">{inline(text.slice(3))}</h3>
  if (text.startsWith('<svg ') && text.endsWith('</svg>')) return <Chart svg={text} />
  if (lines.every((line) => line.startsWith('- '))) {
    return (
      <ul>
        {lines.map((line, at) => (
          <li key={at} dir="auto">
            {inline(line.slice(2))}
          </li>
        ))}
      </ul>
    )
  }
  if (lines.length > 1 && lines.every((line) => /^\|.*\|$/.test(line)))
    return <Rows lines={lines} />
  return <p dir="auto">{inline(text)}</p>
}

/** What may be wider than the screen, moved by keyboard too. */
const Wide = ({ children }: { children: ComponentChildren }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: else the keyboard does not get there
  <div class="report-wide" tabIndex={0}>
    {children}
  </div>
)

const Chart = ({ svg }: { svg: string }) => (
  <Wide>
    <img
      alt={plain(/^<svg [^>]*\baria-label="([^"]*)"/.exec(svg)?.[1] ?? '')}
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
    />
  </Wide>
)

function Rows({ lines: [head = '', , ...rows] }: { lines: string[] }) {
  return (
    <Wide>
      <table class="table">
        <thead>
          <tr>
            {cellsOf(head).map((cell, at) => (
              <th key={at} scope="col">
                {inline(cell)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            <tr key={at}>
              {cellsOf(row).map((cell, place) => (
                <td key={place} dir="auto">
                  {inline(cell)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Wide>
  )
}

/** A bar of the text itself is escaped, and so is every backslash before one. */
const cellsOf = (line: string) =>
  [...line.matchAll(/\| ((?:\\.|[^\\|])*?) ?(?=\|)/g)].map(([, cell = '']) => cell)

const MARKS = /(\*\*(?:\\.|[^\\*])+\*\*|\*(?:\\.|[^\\*])+\*)/

const inline = (text: string): ComponentChildren[] =>
  text.split(MARKS).map((part, at) => {
    if (at % 2 === 0) return plain(part)
    if (part.startsWith('**')) return <b key={at}>{plain(part.slice(2, -2))}</b>
    return <em key={at}>{plain(part.slice(1, -1))}</em>
  })

const ENTITIES: Record<string, string> = {
  ...{ '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" },
}

/** The text that was escaped. */
const plain = (text: string) =>
  text.replaceAll(/\\([\\`*_{}[\]()#+!|~.=-])|&(?:amp|lt|gt|quot|#39);/g, (found, sign) =>
    sign === undefined ? (ENTITIES[found] ?? found) : sign,
  )
