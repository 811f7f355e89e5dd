import { isHub, isUserWritable } from '../evidence/programs.ts'
import type { Seen } from '../evidence/seen.ts'
import { argumentsOf, hasAny, type Indicator, saidBy } from './indicator.ts'

const key = (event: Seen) => event.text('TargetObject').toLowerCase()

export const EVASION: Indicator[] = [
  {
    id: 'protection-off',
    weight: 35,
    techniques: ['T1562.001'],
    when: ['start', 'script', 'sysmon:13'],
    test: (event) =>
      event.kind === 'sysmon' && event.code === 13
        ? /\\windows defender\\.*\\?disable/.test(key(event)) && !isHub(event.program('Image'))
        : hasAny(saidBy(event), ['disablerealtimemonitoring', 'amsiinitfailed', 'amsiscanbuffer']),
    why: 'switches protection off',
  },
  {
    id: 'firewall-change',
    weight: 25,
    techniques: ['T1562.004'],
    when: ['start', 'script'],
    test: (event) => {
      const said = saidBy(event)
      return (
        (said.includes('netsh') &&
          said.includes('firewall') &&
          hasAny(said, ['add ', 'off', 'disable'])) ||
        hasAny(said, ['new-netfirewallrule', 'set-netfirewallprofile'])
      )
    },
    why: 'changes the firewall',
  },
  {
    id: 'log-off',
    weight: 40,
    techniques: ['T1562.002'],
    when: ['start', 'sysmon:13'],
    test: (event) =>
      event.kind === 'sysmon' && event.code === 13
        ? key(event).includes('\\services\\eventlog\\start')
        : hasAny(event.text('CommandLine').toLowerCase(), [
            'stop eventlog',
            'stop-service eventlog',
            'auditpol /clear',
            'auditpol /remove',
          ]),
    why: 'switches logging off',
  },
  {
    id: 'log-wiped',
    weight: 40,
    techniques: ['T1070.001'],
    when: ['start', 'script'],
    test: (event) => {
      const words = argumentsOf(event, 'wevtutil') ?? []
      return words.some((word) => word === 'cl' || word === 'clear-log')
    },
    why: 'wipes a log',
  },
  {
    id: 'consent-bypass',
    weight: 40,
    techniques: ['T1548.002'],
    when: ['sysmon:12', 'sysmon:13'],
    test: (event) =>
      hasAny(key(event), [
        '\\ms-settings\\shell\\open\\command',
        '\\mscfile\\shell\\open\\command',
        '\\exefile\\shell\\open\\command',
        '\\environment\\windir',
      ]) && !isHub(event.program('Image')),
    why: 'prepares to run with more rights without asking',
  },
  {
    id: 'time-changed',
    weight: 15,
    techniques: ['T1070.006'],
    when: ['sysmon:2'],
    test: (event) =>
      isUserWritable(event.text('Image')) || event.program('Image') === 'powershell.exe',
    why: 'changes when a file was made',
  },
  {
    id: 'decoded-file',
    weight: 20,
    techniques: ['T1140'],
    when: ['start'],
    test: (event) =>
      (argumentsOf(event, 'certutil') ?? []).some((word) => /^[-/]decode/.test(word)),
    why: 'decodes a file',
  },
  {
    id: 'desktop-allowed',
    weight: 30,
    techniques: ['T1021.001', 'T1112'],
    when: ['start', 'sysmon:13'],
    test: (event) =>
      `${key(event)} ${event.text('CommandLine').toLowerCase()}`.includes('fdenytsconnections') &&
      !isHub(event.program('Image')),
    why: 'opens the remote desktop',
  },
  {
    id: 'shadows-deleted',
    weight: 60,
    techniques: ['T1490'],
    when: ['start', 'script'],
    test: (event) => {
      const said = saidBy(event)
      return (
        (hasAny(said, ['vssadmin', 'wbadmin', 'shadowcopy']) && said.includes('delete')) ||
        said.includes('recoveryenabled no')
      )
    },
    why: 'deletes what could be restored from',
  },
  {
    id: 'registered-script',
    weight: 30,
    techniques: ['T1218.010'],
    when: ['start'],
    test: (event) =>
      (argumentsOf(event, 'regsvr32') ?? []).some(
        (word) => word.startsWith('/i:') || word.includes('scrobj'),
      ),
    why: 'has a registering program run a script',
  },
]
