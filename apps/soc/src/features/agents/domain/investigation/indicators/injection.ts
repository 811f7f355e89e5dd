import { numberOf } from '../evidence/names.ts'
import { isHub } from '../evidence/programs.ts'
import type { Indicator } from './indicator.ts'

// PROCESS_VM_WRITE and PROCESS_VM_OPERATION.
const WRITES = 0x28

export const INJECTION: Indicator[] = [
  {
    id: 'remote-thread',
    weight: 30,
    techniques: ['T1055'],
    when: ['sysmon:8'],
    test: (event) =>
      event.program('SourceImage') !== event.program('TargetImage') &&
      !isHub(event.program('SourceImage')),
    why: 'starts a thread in another process',
  },
  {
    id: 'unbacked-access',
    weight: 22,
    techniques: ['T1055'],
    when: ['sysmon:10'],
    test: (event) =>
      event.text('CallTrace').includes('UNKNOWN(') &&
      (numberOf(event.text('GrantedAccess')) & WRITES) > 0 &&
      !isHub(event.program('SourceImage')),
    why: 'opens another process for writing from memory that no file backs',
  },
  {
    id: 'tampering',
    weight: 35,
    techniques: ['T1055.012'],
    when: ['sysmon:25'],
    test: () => true,
    why: 'runs with an image that was changed in memory',
  },
]
