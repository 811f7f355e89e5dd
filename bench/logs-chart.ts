import { IN_PROCESS, limitOf, type Measured, million } from './logs-limits.ts'
import { QUESTIONS, type Question } from './logs-questions.ts'

const COLOURS = ['#0f766e', '#b45309', '#1d4ed8', '#9333ea']
const [WIDTH, HEIGHT, COLUMNS] = [340, 220, 2]
const PLOT = { left: 46, right: 26, top: 30, bottom: 30 }
const SHOWN: Question[] = ['rows', 'histogram', 'sources', 'word', 'address', 'hash']

/** How each question grows with the number of events, both scales logarithmic; limits are dashed. */
export function drawGrowth(sizes: Measured[]): string {
  const names = [
    ...new Set(sizes.flatMap(({ engines }) => engines.map(({ name }) => name))),
  ].filter((name) => name !== IN_PROCESS)
  const charts = SHOWN.map((question, at) => {
    const place = `translate(${(at % COLUMNS) * WIDTH},${Math.floor(at / COLUMNS) * HEIGHT})`
    return `<g transform="${place}">${drawQuestion(sizes, names, question)}</g>`
  })
  const height = Math.ceil(SHOWN.length / COLUMNS) * HEIGHT
  const legend = names.map(
    (name, at) =>
      `<text x="${PLOT.left + at * 160}" y="${height + 18}" fill="${COLOURS[at]}">● ${name}</text>`,
  )
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH * COLUMNS} ${height + 30}" font-family="sans-serif" font-size="11">
<rect width="100%" height="100%" fill="#fff"/>
${[...charts, ...legend].join('\n')}
</svg>
`
}

function drawQuestion(sizes: Measured[], names: string[], question: Question): string {
  const lines = names.map((name) =>
    sizes.flatMap(({ events, engines }) => {
      const engine = engines.find((one) => one.name === name && one.events === events)
      const ms = engine?.times[question]
      return ms === undefined ? [] : [{ events, ms: Math.max(ms, 0.1) }]
    }),
  )
  const limits = sizes.flatMap(({ events }) => {
    const ms = limitOf(question, events)
    return ms === undefined ? [] : [{ events, ms }]
  })
  const all = [...lines.flat(), ...limits]
  const x = scale(
    all.map(({ events }) => events),
    PLOT.left,
    WIDTH - PLOT.right,
  )
  const y = scale(
    all.map(({ ms }) => ms),
    HEIGHT - PLOT.bottom,
    PLOT.top,
  )
  const points = (line: { events: number; ms: number }[]) =>
    line.map(({ events, ms }) => `${x(events).toFixed(1)},${y(ms).toFixed(1)}`).join(' ')
  const drawn = lines.map((line, at) => {
    const dots = line.map(
      ({ events, ms }) =>
        `<circle cx="${x(events).toFixed(1)}" cy="${y(ms).toFixed(1)}" r="3" fill="${COLOURS[at]}"/>`,
    )
    return `<polyline points="${points(line)}" fill="none" stroke="${COLOURS[at]}" stroke-width="2"/>${dots.join('')}`
  })
  const ticks = [1, 10, 100, 1_000, 10_000].filter(
    (ms) => y(ms) >= PLOT.top && y(ms) <= HEIGHT - PLOT.bottom,
  )
  return [
    `<text x="${PLOT.left}" y="18" font-size="13">${QUESTIONS[question]}, ms</text>`,
    ...ticks.map(
      (ms) =>
        `<path d="M${PLOT.left} ${y(ms).toFixed(1)}H${WIDTH - PLOT.right}" stroke="#ddd"/><text x="${PLOT.left - 6}" y="${(y(ms) + 4).toFixed(1)}" text-anchor="end">${ms}</text>`,
    ),
    ...sizes.map(
      ({ events }) =>
        `<text x="${x(events).toFixed(1)}" y="${HEIGHT - PLOT.bottom + 16}" text-anchor="middle">${million(events)}</text>`,
    ),
    `<polyline points="${points(limits)}" fill="none" stroke="#64748b" stroke-dasharray="4 3"/>`,
    ...drawn,
  ].join('')
}

/** By powers of ten; a single value stands in the middle. */
function scale(values: number[], from: number, to: number) {
  const [least, most] = [Math.log10(Math.min(...values)), Math.log10(Math.max(...values))]
  const span = most - least
  return (value: number) =>
    span === 0 ? (from + to) / 2 : from + ((Math.log10(value) - least) / span) * (to - from)
}
