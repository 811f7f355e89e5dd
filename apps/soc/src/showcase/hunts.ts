import type { Hunt } from '@manara/soc-contract/hunts'
import { at, idOf } from './story.ts'

const hunt = (number: number, title: string, query: string, rest: Partial<Hunt>): Hunt => ({
  id: idOf('hunt', number),
  title,
  description: '',
  query,
  source: null,
  severity: null,
  host: null,
  sharing_mode: 'team',
  shared_with_roles: [],
  tags: [],
  created_by: 'leila',
  created_at: at('09:25'),
  updated_at: at('09:25'),
  last_run_at: at('09:28'),
  last_match_count: 1,
  ...rest,
})

export const hunts: Hunt[] = [
  hunt(1, 'Hidden PowerShell', 'process:powershell* AND message:("-enc" AND hidden)', {
    description: 'Encoded commands in a window that nobody sees.',
    source: 'windows',
    tags: ['T1059.001'],
  }),
  hunt(2, 'Who else used the backup account', 'user:svc_backup AND event_code:4624', {
    tags: ['T1078.002'],
  }),
  hunt(3, 'Writes to pump controllers', 'function:write AND host:plc-*', {
    source: 'modbus',
    sharing_mode: 'roles',
    shared_with_roles: ['responder', 'manager'],
    tags: ['ot'],
  }),
]
