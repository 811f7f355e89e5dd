import type { Investigation } from '@manara/soc-contract/investigation'
import { useWords } from './words.ts'

const COLUMN = 260
const ROW = 44
const MOST = 12

type Node = { id: string; label: string; kind: 'host' | 'actor' | 'finding' }
type Edge = [from: string, to: string]

/** Root, initiator, the hosts and what was done on each: three columns, read from the start. */
export function Graph({ found }: { found: Investigation }) {
  const { w } = useWords()
  const { columns, edges } = layersOf(found)
  const height = Math.max(...columns.map(({ length }) => length), 1) * ROW + 20
  const place = new Map(
    columns.flatMap((nodes, column) =>
      nodes.map((node, row) => [node.id, { x: column * COLUMN + 10, y: row * ROW + 12 }] as const),
    ),
  )
  if (place.size < 2) return null
  return (
    <section>
      <h2>{w.graph}</h2>
      <div class="graph">
        <svg width={columns.length * COLUMN} height={height} role="img" aria-label={w.graph}>
          {edges.map(([from, to]) => {
            const [a, b] = [place.get(from), place.get(to)]
            if (!a || !b) return null
            const middle = (a.x + b.x + 210) / 2
            return (
              <path
                key={`${from} ${to}`}
                class="graph-edge"
                d={`M${a.x + 210} ${a.y + 15}C${middle} ${a.y + 15} ${middle} ${b.y + 15} ${b.x} ${b.y + 15}`}
              />
            )
          })}
          {columns.flat().map(({ id, label, kind }) => {
            const at = place.get(id) ?? { x: 0, y: 0 }
            return (
              <g key={id} data-kind={kind} transform={`translate(${at.x} ${at.y})`}>
                <title>{label}</title>
                <rect width="210" height="30" rx="6" />
                <text x="10" y="20">
                  {label.length > 30 ? `${label.slice(0, 29)}…` : label}
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
    return { id, label: one.claim, kind: 'finding' }
  })
  return { columns: [actors, hosts, findings].filter((nodes) => nodes.length > 0), edges }
}
