import type { Investigation } from '@manara/soc-contract/investigation'
import { useWords } from './words.ts'

const BETWEEN = 50
const ROW = 44
/** Of a box; what was done is a sentence and needs more room than a name. */
const WIDTHS = { actor: 210, host: 210, finding: 480 }
const LETTER = 7.4
const MOST = 12

type Node = { id: string; label: string; kind: 'host' | 'actor' | 'finding' }
type Edge = [from: string, to: string]

/** Root, initiator, the hosts and what was done on each: three columns, read from the start. */
export function Graph({ found }: { found: Investigation }) {
  const { w } = useWords()
  const { columns, edges } = layersOf(found)
  const height = Math.max(...columns.map(({ length }) => length), 1) * ROW + 20
  const widths = columns.map(([first]) => WIDTHS[first?.kind ?? 'actor'])
  const startOf = (column: number) =>
    widths.slice(0, column).reduce((sum, width) => sum + width + BETWEEN, 10)
  const place = new Map(
    columns.flatMap((nodes, column) =>
      nodes.map((node, row) => {
        const at = { x: startOf(column), y: row * ROW + 12, width: widths[column] ?? 0 }
        return [node.id, at] as const
      }),
    ),
  )
  if (place.size < 2) return null
  return (
    <section>
      <h2>{w.graph}</h2>
      <div class="graph">
        <svg width={startOf(columns.length)} height={height} role="img" aria-label={w.graph}>
          {edges.map(([one, other]) => {
            const [a, b] = [place.get(one), place.get(other)]
            if (!a || !b) return null
            const from = a.x + a.width
            const middle = (from + b.x) / 2
            return (
              <path
                key={`${one} ${other}`}
                class="graph-edge"
                d={`M${from} ${a.y + 15}C${middle} ${a.y + 15} ${middle} ${b.y + 15} ${b.x} ${b.y + 15}`}
              />
            )
          })}
          {columns.flat().map(({ id, label, kind }) => {
            const at = place.get(id) ?? { x: 0, y: 0, width: 0 }
            const room = Math.floor(at.width / LETTER)
            return (
              <g key={id} data-kind={kind} transform={`translate(${at.x} ${at.y})`}>
                <title>{label}</title>
                <rect width={at.width} height="30" rx="6" />
                <text x="10" y="20">
                  {label.length > room ? `${label.slice(0, room - 1)}…` : label}
                </text>
              </g>
            )
          })}
        </svg>
      </div>
    </section>
  )
}

function layersOf(found: Investigation): { columns: Node[][]; edges: Edge[] } {
  const actors: Node[] = []
  const edges: Edge[] = []
  const nameOf = (actor: NonNullable<Investigation['root']>) =>
    actor.process ?? actor.address ?? actor.user ?? actor.kind
  if (found.root) actors.push({ id: 'root', label: nameOf(found.root), kind: 'actor' })
  if (found.initiator && found.initiator.pid !== found.root?.pid) {
    actors.push({ id: 'initiator', label: nameOf(found.initiator), kind: 'actor' })
    if (found.root) edges.push(['root', 'initiator'])
  }
  const hosts = found.hosts
    .slice(0, MOST)
    .map((host): Node => ({ id: `host ${host}`, label: host, kind: 'host' }))
  for (const actor of actors) {
    const host = (actor.id === 'root' ? found.root : found.initiator)?.host
    if (host) edges.push([actor.id, `host ${host}`])
  }
  const findings = found.findings.slice(0, MOST).map((one, at): Node => {
    const id = `finding ${at}`
    if (one.host) edges.push([`host ${one.host}`, id])
    // Its host stands in the column before.
    const label = one.claim.replace(` on ${one.host}`, '')
    return { id, label, kind: 'finding' }
  })
  return { columns: [actors, hosts, findings].filter((nodes) => nodes.length > 0), edges }
}
