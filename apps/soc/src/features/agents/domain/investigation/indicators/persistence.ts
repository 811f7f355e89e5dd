import { personOf } from '../evidence/names.ts'
import { isHub } from '../evidence/programs.ts'
import type { Seen } from '../evidence/seen.ts'
import { argumentsOf, hasAny, type Indicator, isStart } from './indicator.ts'

const key = (event: Seen) => event.text('TargetObject').toLowerCase()
const RUN_KEYS = [
  '\\currentversion\\run\\',
  '\\currentversion\\runonce\\',
  '\\policies\\explorer\\run\\',
]
const COMMANDS = ['cmd', 'powershell', '\\users\\', '\\temp\\', '%comspec%', 'rundll32', 'mshta']

export const PERSISTENCE: Indicator[] = [
  {
    id: 'run-key',
    weight: 40,
    techniques: ['T1547.001'],
    when: ['sysmon:13'],
    test: (event) => hasAny(key(event), RUN_KEYS) && !isHub(event.program('Image')),
    why: 'sets a program to run at logon',
  },
  {
    id: 'startup-file',
    weight: 40,
    techniques: ['T1547.001'],
    when: ['sysmon:11'],
    test: (event) =>
      event.text('TargetFilename').toLowerCase().includes('\\start menu\\programs\\startup\\'),
    why: 'writes into the startup folder',
  },
  {
    id: 'logon-script',
    weight: 45,
    techniques: ['T1037.001'],
    when: ['start', 'sysmon:13'],
    test: (event) =>
      `${key(event)} ${event.text('CommandLine').toLowerCase()}`.includes('userinitmprlogonscript'),
    why: 'sets a logon script',
  },
  {
    id: 'logon-helper',
    weight: 40,
    techniques: ['T1547.004'],
    when: ['sysmon:13'],
    test: (event) =>
      /\\winlogon\\(shell|userinit|notify)$/.test(key(event)) && !isHub(event.program('Image')),
    why: 'changes what Windows starts at logon',
  },
  {
    id: 'debugger-key',
    weight: 40,
    techniques: ['T1546.012'],
    when: ['sysmon:13'],
    test: (event) =>
      key(event).includes('\\image file execution options\\') &&
      hasAny(key(event), ['\\debugger', '\\globalflag', '\\monitorprocess']),
    why: 'makes another program start in place of one',
  },
  {
    id: 'com-hijack',
    weight: 20,
    techniques: ['T1546.015'],
    when: ['sysmon:13'],
    test: (event) =>
      /\\software\\classes\\(wow6432node\\)?clsid\\.*\\(inproc|local)server32/.test(key(event)) &&
      hasAny(key(event), ['hku\\', '_classes']) &&
      !isHub(event.program('Image')),
    why: 'points a class of the person at another library',
  },
  {
    id: 'service-image',
    weight: 40,
    techniques: ['T1543.003'],
    when: ['start', 'sysmon:13'],
    test: (event) => {
      if (event.kind === 'sysmon' && event.code === 13) {
        const details = event.text('Details').toLowerCase()
        return /\\services\\[^\\]+\\imagepath$/.test(key(event)) && hasAny(details, COMMANDS)
      }
      const words = argumentsOf(event, 'sc') ?? []
      return (
        words.slice(0, 2).some((word) => word === 'config' || word === 'create') &&
        words.some((word) => word.startsWith('binpath'))
      )
    },
    why: 'points a service at a command',
  },
  {
    id: 'service-new',
    weight: 35,
    techniques: ['T1543.003', 'T1569.002'],
    when: ['system:7045', 'security:4697'],
    test: () => true,
    why: 'installs a service',
  },
  {
    id: 'task-new',
    weight: 35,
    techniques: ['T1053.005'],
    when: ['start', 'security:4698', 'security:4702'],
    test: (event) =>
      isStart(event)
        ? (argumentsOf(event, 'schtasks') ?? []).includes('/create')
        : personOf(event.text('SubjectUserName')) !== '' ||
          !event.text('TaskName').toLowerCase().startsWith('\\microsoft\\'),
    why: 'creates a scheduled task',
  },
  {
    id: 'wmi-consumer',
    weight: 60,
    techniques: ['T1546.003'],
    when: ['sysmon:19', 'sysmon:20', 'sysmon:21'],
    test: () => true,
    why: 'registers a WMI event consumer',
  },
  {
    id: 'account-new',
    weight: 30,
    techniques: ['T1136.001'],
    when: ['security:4720'],
    test: (event) => personOf(event.text('SubjectUserName')) !== '',
    why: 'creates an account',
  },
  {
    id: 'group-member',
    weight: 25,
    techniques: ['T1098'],
    when: ['security:4728', 'security:4732', 'security:4756'],
    test: (event) => personOf(event.text('SubjectUserName')) !== '',
    why: 'adds an account to a group',
  },
]
