import type { Approval } from '@manara/soc-contract/approvals'
import type {
  Execution,
  ExecutionStep,
  Playbook,
  PlaybookStep,
  ResponseRule,
} from '@manara/soc-contract/playbooks'
import { at, C2_ADDRESS, C2_DOMAIN, idOf } from './story.ts'

const step = (id: string, action: string, params: object): PlaybookStep => ({
  id,
  action,
  params: { ...params },
  when: null,
  timeout_s: 60,
  retries: 0,
  on_failure: 'stop',
  undo: null,
})

const playbook = (told: Pick<Playbook, 'id' | 'name' | 'steps'> & Partial<Playbook>): Playbook => ({
  version: 1,
  description: null,
  enabled: true,
  is_critical: false,
  trigger: { on: 'manual', when: null },
  parameters: {},
  tags: [],
  timeout_s: 86_400,
  origin: 'shipped',
  is_edited: false,
  run_count: 0,
  success_rate: null,
  last_run_at: null,
  created_at: '2025-09-14T05:00:00.000Z',
  updated_at: '2025-09-14T05:00:00.000Z',
  updated_by: 'system',
  approvers: null,
  ...told,
})

const INTRUSION = idOf('case', 1)

export const playbooks: Playbook[] = [
  playbook({
    id: 'isolate-host',
    name: 'Isolate a host',
    is_critical: true,
    tags: ['containment'],
    steps: [
      step('isolate', 'edr_isolate', { endpoint: '{{ alert.host }}' }),
      step('note', 'add_comment', { case_id: '{{ case.id }}', body: '{{ alert.host }} isolated' }),
    ],
    run_count: 1,
    success_rate: 1,
    last_run_at: at('08:59'),
  }),
  playbook({
    id: 'block-indicators',
    name: 'Block the indicators of an alert',
    tags: ['containment'],
    steps: [step('block', 'block_indicator', { value: '{{ alert.iocs }}' })],
    run_count: 1,
    success_rate: 1,
    last_run_at: at('08:25'),
  }),
]

const done = (id: string, action: string, time: string, output: object): ExecutionStep => ({
  id,
  action,
  status: 'completed',
  output: { ...output },
  error: null,
  started_at: at(time),
  completed_at: at(time),
})

const execution = (
  number: number,
  time: string,
  told: Pick<Execution, 'playbook_id' | 'playbook_name' | 'steps'> & Partial<Execution>,
): Execution => ({
  id: idOf('execution', number),
  playbook_version: 1,
  status: 'completed',
  trigger: 'manual',
  dry_run: false,
  alert_id: null,
  case_id: INTRUSION,
  parameters: {},
  approval_id: null,
  requested_by: 'leila',
  steps_total: told.steps.length,
  steps_completed: told.steps.length,
  error: null,
  rollback: 'none',
  created_at: at(time),
  started_at: at(time),
  completed_at: at(time),
  ...told,
})

export const executions: Execution[] = [
  execution(1, '08:25', {
    playbook_id: 'block-indicators',
    playbook_name: 'Block the indicators of an alert',
    alert_id: idOf('alert', 3),
    steps: [done('block', 'block_indicator', '08:25', { values: [C2_DOMAIN, C2_ADDRESS] })],
  }),
  execution(2, '08:58', {
    playbook_id: 'isolate-host',
    playbook_name: 'Isolate a host',
    alert_id: idOf('alert', 4),
    approval_id: idOf('approval', 1),
    steps: [
      done('isolate', 'edr_isolate', '08:59', { endpoint: 'fin-ws-07', status: 'completed' }),
      done('note', 'add_comment', '08:59', { case_id: INTRUSION }),
    ],
  }),
]

const approval = (
  number: number,
  time: string,
  told: Pick<Approval, 'action' | 'kind' | 'status'> & Partial<Approval>,
): Approval => ({
  id: idOf('approval', number),
  targets: [],
  playbook_version: null,
  steps: [],
  changes: [],
  approvers: null,
  approvers_left: null,
  sha256: '0'.repeat(64),
  justification: null,
  playbook_id: null,
  playbook_name: null,
  execution_id: null,
  alert_id: null,
  case_id: INTRUSION,
  parameters: {},
  requested_by: 'leila',
  created_at: at(time),
  expires_at: at('13:30'),
  decided_by: null,
  decided_at: null,
  reason: null,
  consumed_at: null,
  ...told,
})

export const approvals: Approval[] = [
  approval(1, '08:55', {
    kind: 'playbook',
    action: 'execute playbook Isolate a host',
    playbook_id: 'isolate-host',
    playbook_name: 'Isolate a host',
    alert_id: idOf('alert', 4),
    execution_id: idOf('execution', 2),
    status: 'consumed',
    decided_by: 'nadia',
    decided_at: at('08:58'),
    reason: 'credentials are being stolen',
    consumed_at: at('08:58'),
  }),
  approval(2, '09:10', {
    kind: 'request',
    action: 'revoke the certificate of plc-pump-03',
    justification: 'Its firmware differs from the approved build.',
    status: 'pending',
    requested_by: 'omar',
  }),
]

/** Only shown: outside the showcase a playbook has a trigger of its own. */
export const responseRules: ResponseRule[] = [
  {
    id: idOf('response_rule', 1),
    name: 'Isolate where credentials are stolen',
    description: 'Asks for an approval first.',
    playbook_id: 'isolate-host',
    condition: "alert.mitre_techniques contains 'T1003.001'",
    enabled: true,
  },
  {
    id: idOf('response_rule', 2),
    name: 'Block what beacons',
    description: '',
    playbook_id: 'block-indicators',
    condition: "alert.mitre_techniques contains 'T1071.001' and alert.severity == 'high'",
    enabled: false,
  },
]
