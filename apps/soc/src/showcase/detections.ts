import type { DetectionRule } from '@manara/soc-contract/detections'
import type { Log } from '@manara/soc-contract/siem'
import { at, C2_ADDRESS, C2_DOMAIN, INVOICE_SHA256, idOf } from './story.ts'

const rule = (
  number: number,
  name: string,
  query: string,
  rest: Partial<DetectionRule>,
): DetectionRule => ({
  id: idOf('rule', number),
  name,
  description: '',
  query,
  source: 'windows',
  host: null,
  match_severity: null,
  alert_severity: 'high',
  alert_title_template: '{rule_name} on {host}',
  alert_description_template: '{message}',
  auto_create_case: false,
  schedule_enabled: true,
  schedule_interval_minutes: 5,
  mitre_techniques: [],
  sharing_mode: 'team',
  shared_with_roles: [],
  tags: [],
  kind: 'query',
  threshold: null,
  new_terms: null,
  sequence: null,
  enabled: true,
  external_id: null,
  sigma: null,
  warnings: [],
  source_events: 0,
  last_source_event_at: null,
  unrecorded_hits: 0,
  capped_at: null,
  version: 1,
  next_run_at: at('09:35'),
  last_run_at: at('09:30'),
  created_by: 'leila',
  created_at: at('06:00'),
  updated_at: at('06:00'),
  ...rest,
})

export const rules = [
  rule(
    1,
    'Office program starts PowerShell',
    'event_code:4688 AND ParentImage:*winword.exe AND process:powershell*',
    { mitre_techniques: ['T1059.001', 'T1204.002'] },
  ),
  rule(2, 'LSASS memory read', 'event_code:10 AND TargetImage:*lsass.exe', {
    alert_severity: 'critical',
    mitre_techniques: ['T1003.001'],
    auto_create_case: true,
  }),
  rule(3, 'Backup account signs in from a workstation', 'event_code:4624 AND user:svc_backup', {
    mitre_techniques: ['T1078.002', 'T1021.002'],
  }),
  rule(4, 'Modbus write from an unexpected host', 'source:modbus AND function:write', {
    source: 'modbus',
    alert_severity: 'critical',
    mitre_techniques: ['T0855'],
  }),
  rule(5, 'Many failed SSH passwords', 'source:sshd AND "failed password"', {
    source: 'sshd',
    alert_severity: 'low',
    mitre_techniques: ['T1110.001'],
  }),
]

const log = (
  number: number,
  time: string,
  host: string,
  message: string,
  rest: Partial<Log>,
): Log => ({
  id: idOf('log', number),
  timestamp: at(time),
  source: 'windows',
  host,
  severity: 'info',
  message,
  user: null,
  process: null,
  event_code: null,
  src_ip: null,
  dst_ip: null,
  collector: null,
  fields: {},
  ...rest,
})

export const logs = [
  log(1, '07:41', 'mail-gw', 'delivered Invoice_4471.docm to h.salem', {
    source: 'mail',
    user: 'h.salem',
    fields: { 'attachment.sha256': INVOICE_SHA256 },
  }),
  log(2, '07:44', 'fin-ws-07', 'process created: powershell.exe -nop -w hidden -enc SQBFAFgA', {
    severity: 'high',
    user: 'h.salem',
    process: 'powershell.exe',
    event_code: '4688',
    fields: { ParentImage: 'C:\\Program Files\\Microsoft Office\\winword.exe' },
  }),
  log(3, '07:46', 'fin-ws-07', `dns query ${C2_DOMAIN} answered ${C2_ADDRESS}`, {
    source: 'dns',
    dst_ip: C2_ADDRESS,
  }),
  log(4, '08:15', 'fin-ws-07', 'rundll32.exe opened lsass.exe with 0x1410', {
    severity: 'critical',
    process: 'rundll32.exe',
    event_code: '10',
    fields: { TargetImage: 'C:\\Windows\\System32\\lsass.exe' },
  }),
  log(5, '08:31', 'eng-ws-02', 'logon type 3 by svc_backup from 192.0.2.107', {
    severity: 'medium',
    user: 'svc_backup',
    event_code: '4624',
    src_ip: '192.0.2.107',
  }),
  log(6, '08:52', 'plc-pump-03', 'write multiple registers 40021-40024 from 198.51.100.12', {
    source: 'modbus',
    severity: 'critical',
    src_ip: '198.51.100.12',
    fields: { function: 'write', unit: '3' },
  }),
  log(7, '02:10', 'web-01', 'Failed password for root from 203.0.113.200 port 50214 ssh2', {
    source: 'sshd',
    severity: 'low',
    user: 'root',
    src_ip: '203.0.113.200',
  }),
]
