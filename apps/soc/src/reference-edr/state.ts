import { readFileSync } from 'node:fs'
import { writeDurably } from '@manara/kit/write-durably'
import type { EndpointCommand } from '@manara/soc-contract/edr'
import type { ReportedEndpoint } from '@manara/soc-contract/edr-api'

export type ReferenceAction = {
  action_id: string
  endpoint_id: string
  command: EndpointCommand
  status: 'running' | 'completed'
  detail: string | null
}

export type ReferenceState = {
  endpoints: ReportedEndpoint[]
  actions: ReferenceAction[]
  /** What was really done, in order: one entry an action, however often it was ordered. */
  executions: string[]
}

/** The endpoints of a small office; with a file, what was done outlives the process. */
export function openState(file: string | undefined) {
  const state = (file && read(file)) || { endpoints: OFFICE, actions: [], executions: [] }
  return {
    state,
    save() {
      if (file) writeDurably(file, JSON.stringify(state), 0o600)
    },
  }
}

function read(file: string): ReferenceState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

const endpoint = (
  id: string,
  hostname: string,
  ip: string,
  more: Partial<ReportedEndpoint> = {},
): ReportedEndpoint => ({
  id,
  hostname,
  ips: [ip],
  os: { name: 'Windows', version: '11 23H2', arch: 'x64' },
  agent_version: '1.0.0',
  status: 'online',
  isolation: 'none',
  labels: [],
  last_seen_at: new Date().toISOString(),
  ...more,
})

const OFFICE = [
  endpoint('ref-1', 'fin-ws-07', '192.0.2.107', { labels: ['finance'] }),
  endpoint('ref-2', 'hr-ws-03', '192.0.2.103', { labels: ['hr'] }),
  endpoint('ref-3', 'file-01', '192.0.2.20', {
    os: { name: 'Debian', version: '12', arch: 'x64' },
    labels: ['server'],
  }),
  endpoint('ref-4', 'laptop-11', '192.0.2.111', { status: 'offline' }),
]
