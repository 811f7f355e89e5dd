import { escapeMarkup, oneLine } from './escape.ts'

// On one line each: Markdown ends embedded markup at an empty line.
const WIDTH = 640
const TEXT = 'font-family="system-ui, sans-serif" font-size="12" fill="#1b2430"'

export type Bar = { label: string; value: number; colour: string }

export function barChart(title: string, bars: Bar[]): string {
  const [left, right, step] = [110, 60, 26]
  const longest = Math.max(1, ...bars.map(({ value }) => value))
  const rows = bars.map(({ label, value, colour }, index) => {
    const y = index * step + 4
    const width = (value / longest) * (WIDTH - left - right)
    return [
      `<text x="${left - 8}" y="${y + 14}" text-anchor="end" ${TEXT}>${shown(label)}</text>`,
      `<rect x="${left}" y="${y}" width="${width.toFixed(1)}" height="18" rx="3" fill="${colour}"/>`,
      `<text x="${(left + width + 6).toFixed(1)}" y="${y + 14}" ${TEXT}>${value}</text>`,
    ].join('')
  })
  return svg(title, bars.length * step + 4, rows.join(''))
}

export type Point = { label: string; value: number }

/** One column a point; the first, the last and the highest are labelled. */
export function columnChart(title: string, points: Point[], colour: string): string {
  const [height, top] = [150, 18]
  const highest = Math.max(1, ...points.map(({ value }) => value))
  const width = WIDTH / Math.max(1, points.length)
  const peak = points.findIndex(({ value }) => value === highest)
  const columns = points.map(({ value }, index) => {
    const size = (value / highest) * (height - top)
    const column = `<rect x="${(index * width + 1).toFixed(1)}" y="${(height - size).toFixed(1)}" width="${Math.max(1, width - 2).toFixed(1)}" height="${size.toFixed(1)}" fill="${colour}"/>`
    if (index !== peak) return column
    const middle = Math.min(WIDTH - 16, Math.max(16, (index + 0.5) * width))
    const above = (height - size - 4).toFixed(1)
    return `${column}<text x="${middle.toFixed(1)}" y="${above}" text-anchor="middle" ${TEXT}>${value}</text>`
  })
  const [first, last] = [points[0]?.label ?? '', points.at(-1)?.label ?? '']
  const axis = [
    `<line x1="0" y1="${height}" x2="${WIDTH}" y2="${height}" stroke="#aab4c0"/>`,
    `<text x="0" y="${height + 16}" ${TEXT}>${shown(first)}</text>`,
    `<text x="${WIDTH}" y="${height + 16}" text-anchor="end" ${TEXT}>${shown(last)}</text>`,
  ]
  return svg(title, height + 22, [...columns, ...axis].join(''))
}

const svg = (title: string, height: number, content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="100%" role="img" aria-label="${shown(title)}">${content}</svg>`

const shown = (text: string) => escapeMarkup(oneLine(text))
