import { createHash } from 'node:crypto'
import { canonicalJson } from '@manara/soc-contract/canonical-json'
import type { CaseDetail, Comment, Observable, Task } from '@manara/soc-contract/cases'
import type { Evidence, LedgerEntry } from '@manara/soc-contract/evidence'
import { at, C2_ADDRESS, C2_DOMAIN, INVOICE_SHA256, idOf } from './story.ts'

const INTRUSION = idOf('case', 1)
const GUESSING = idOf('case', 2)

const observable = (
  number: number,
  time: string,
  told: Pick<Observable, 'type' | 'value'> & Partial<Observable>,
): Observable => ({
  id: idOf('part', number),
  source: 'analysis',
  tags: [],
  context: {},
  created_by: 'leila',
  created_at: at(time),
  ...told,
})

const comment = (number: number, time: string, author: string, body: string): Comment => ({
  id: idOf('part', number),
  author,
  body,
  created_at: at(time),
})

const task = (
  number: number,
  title: string,
  status: Task['status'],
  assignee: string | null,
): Task => ({
  id: idOf('part', number),
  title,
  description: null,
  status,
  assignee,
  due_at: null,
  created_by: 'leila',
  created_at: at('08:40'),
  updated_at: at('09:15'),
})

const IMAGE = idOf('part', 31)

/** A real chain, so that checking it in the showcase shows what checking means. */
function ledger(steps: Omit<LedgerEntry, 'seq' | 'prev_hash' | 'entry_hash'>[]): LedgerEntry[] {
  let prev_hash = '0'.repeat(64)
  return steps.map((step, index) => {
    const entry = { seq: index + 1, ...step, prev_hash }
    prev_hash = createHash('sha256').update(canonicalJson(entry)).digest('hex')
    return { ...entry, entry_hash: prev_hash }
  })
}

const memoryImage: Evidence = {
  id: IMAGE,
  case_id: INTRUSION,
  name: 'fin-ws-07 memory image',
  evidence_type: 'memory',
  storage_url: 's3://evidence/fin-ws-07.mem.zst',
  sha256: 'c0a8d1f6f44b0ad59e9cf5cfcb0f06ad7a3f8a2c1b1e9b6b0c7f6a1d2e3f4a5b',
  location: 'evidence store',
  registered_by: 'leila',
  created_at: at('08:45'),
  custody_entries: ledger([
    {
      evidence_id: IMAGE,
      action: 'registered',
      actor: 'leila',
      timestamp: at('08:45'),
      details: { name: 'fin-ws-07 memory image' },
    },
    {
      evidence_id: IMAGE,
      action: 'transferred',
      actor: 'leila',
      timestamp: at('09:02'),
      details: { to: 'omar', location: 'analysis lab' },
    },
  ]),
}

const nothingElse = {
  access: { mode: 'team', users: [], roles: [] },
  tlp: 'green',
  merged_into: null,
  merged_case_ids: [],
  observables: [],
  evidence: [],
  comments: [],
  tasks: [],
} satisfies Partial<CaseDetail>

export const cases: CaseDetail[] = [
  {
    ...nothingElse,
    id: INTRUSION,
    title: 'Invoice phishing reached the pumping station',
    status: 'investigating',
    severity: 'critical',
    description:
      'A macro document opened in finance led to stolen credentials, a jump to the engineering network and a write to plc-pump-03.',
    assignee: 'leila',
    requires_human_approval: true,
    alert_ids: [1, 2, 3, 4, 5, 6].map((number) => idOf('alert', number)),
    version: 9,
    created_by: 'leila',
    created_at: at('08:18'),
    updated_at: at('09:20'),
    timeline: [
      { agent: 'leila', action: 'case opened from alert', timestamp: at('08:18') },
      { agent: 'responder', action: 'fin-ws-07 isolated', timestamp: at('08:59') },
      { agent: 'attestation', action: 'plc-pump-03 contraindicated', timestamp: at('09:05') },
      { agent: 'leila', action: 'severity raised to critical', timestamp: at('09:06') },
    ],
    observables: [
      observable(1, '08:20', { type: 'domain', value: C2_DOMAIN, tags: ['c2'] }),
      observable(2, '08:20', { type: 'ip', value: C2_ADDRESS, tags: ['c2'] }),
      observable(3, '08:22', { type: 'sha256', value: INVOICE_SHA256, tags: ['lure'] }),
      observable(4, '08:35', { type: 'user', value: 'svc_backup', tags: ['stolen'] }),
    ],
    evidence: [memoryImage],
    comments: [
      comment(11, '08:36', 'leila', 'svc_backup has no business on workstations: stolen at 08:15.'),
      comment(12, '09:07', 'omar', 'Firmware hash of plc-pump-03 differs from the approved build.'),
    ],
    tasks: [
      task(21, 'Reset svc_backup and every session of h.salem', 'done', 'omar'),
      task(22, 'Compare plc-pump-03 logic with the offline copy', 'in_progress', 'omar'),
      task(23, 'Approve revoking the certificate of plc-pump-03', 'todo', null),
    ],
  },
  {
    ...nothingElse,
    id: GUESSING,
    title: 'Password guessing against web-01',
    status: 'closed',
    severity: 'low',
    description: '412 attempts in 45 minutes, none succeeded.',
    assignee: 'omar',
    requires_human_approval: false,
    alert_ids: [idOf('alert', 7)],
    version: 3,
    created_by: 'omar',
    created_at: at('05:50'),
    updated_at: at('06:05'),
    timeline: [
      { agent: 'omar', action: 'case opened from alert', timestamp: at('05:50') },
      { agent: 'omar', action: 'status changed to closed', timestamp: at('06:05') },
    ],
    observables: [observable(5, '05:52', { type: 'ip', value: '203.0.113.200' })],
    comments: [comment(13, '06:04', 'omar', 'Blocked at the edge for 30 days.')],
  },
]
