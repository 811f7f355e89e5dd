import {
  isHub,
  isInterpreter,
  isOffice,
  isProgramFile,
  isUserWritable,
  proxyTechnique,
} from '../evidence/programs.ts'
import {
  hasAny,
  type Indicator,
  isOutgoing,
  parentProgram,
  saidBy,
  startedImage,
  startedProgram,
} from './indicator.ts'

const FETCHES = [
  'invoke-webrequest',
  'downloadfile',
  'downloadstring',
  'bitsadmin',
  'start-bitstransfer',
  'urlcache',
  'curl',
  'wget',
]

export const EXECUTION: Indicator[] = [
  {
    id: 'hidden-shell',
    weight: 25,
    techniques: ['T1059.001'],
    when: ['start'],
    test: (event) => {
      const words = event.words()
      const at = words.findIndex((word) => /(powershell|pwsh)(\.exe)?$/.test(word))
      if (at < 0) return false
      return words
        .slice(at + 1)
        .some(
          (word, place, rest) =>
            /^[-/]e(n|nc|nco\w*)?$/.test(word) ||
            (/^[-/]w(in\w*)?$/.test(word) && /^(h|1$)/.test(rest[place + 1] ?? '')),
        )
    },
    why: 'runs PowerShell hidden or encoded',
  },
  {
    id: 'listener',
    weight: 25,
    techniques: ['T1059.001', 'T1571'],
    when: ['start', 'script', 'sysmon:7'],
    test: (event) =>
      event.kind === 'sysmon' && event.code === 7
        ? event.program('ImageLoaded') === 'httpapi.dll' && isInterpreter(event.program('Image'))
        : hasAny(saidBy(event), ['httplistener', 'tcplistener']),
    why: 'listens for connections from a shell',
  },
  {
    id: 'download',
    weight: 15,
    techniques: ['T1105'],
    when: ['start', 'script'],
    test: (event) => {
      const said = saidBy(event)
      return hasAny(said, FETCHES) && hasAny(said, ['http://', 'https://'])
    },
    why: 'fetches a file over the network',
  },
  {
    id: 'transfer-job',
    weight: 25,
    techniques: ['T1197'],
    when: ['start', 'script'],
    test: (event) => {
      const said = saidBy(event)
      return said.includes('bitsadmin') && hasAny(said, ['/transfer', '/addfile', '/setnotify'])
    },
    why: 'has the transfer service fetch a file',
  },
  {
    id: 'wmi-child',
    weight: 25,
    techniques: ['T1047'],
    when: ['start'],
    test: (event) =>
      parentProgram(event) === 'wmiprvse.exe' &&
      !['wmiprvse.exe', 'conhost.exe', 'werfault.exe'].includes(startedProgram(event)),
    why: 'was started through WMI',
  },
  {
    id: 'office-on-order',
    weight: 30,
    techniques: ['T1021.003'],
    when: ['start'],
    test: (event) =>
      isOffice(startedProgram(event)) &&
      parentProgram(event) === 'svchost.exe' &&
      event.words().some((word) => word === '-embedding' || word === '/automation'),
    why: 'an Office program was started by a call from outside',
  },
  {
    id: 'office-child',
    weight: 35,
    techniques: ['T1204.002', 'T1566.001'],
    when: ['start'],
    test: (event) => isOffice(parentProgram(event)) && isInterpreter(startedProgram(event)),
    why: 'an Office program starts a command interpreter',
  },
  {
    id: 'program-dropped',
    weight: 12,
    techniques: ['T1105'],
    when: ['sysmon:11', 'sysmon:23', 'sysmon:26'],
    test: (event) => {
      const file = event.text('TargetFilename')
      return (
        /\.(exe|dll|hta|sct|scr|vbs)$/i.test(file) &&
        isUserWritable(file) &&
        !isHub(event.program('Image'))
      )
    },
    why: 'writes a program where users can write',
  },
  {
    id: 'run-from-profile',
    weight: 18,
    techniques: [],
    when: ['start'],
    test: (event) => isProgramFile(startedImage(event)) && isUserWritable(startedImage(event)),
    why: 'runs from a place where users can write',
  },
  {
    id: 'shell-outside',
    weight: 10,
    techniques: ['T1071.001'],
    when: ['sysmon:3'],
    test: (event) =>
      isOutgoing(event) &&
      isUserWritable(event.text('Image')) &&
      ['80', '443', '8080', '8443', '4444'].includes(event.text('DestinationPort')),
    why: 'a program in a place of users speaks to the network',
  },
]

/** One for each program that runs foreign code, so that the technique is the program's own. */
export const PROXIED: Indicator = {
  id: 'proxy-child',
  weight: 25,
  techniques: ['T1218'],
  when: ['start'],
  test: (event) => {
    const parent = parentProgram(event)
    const isUsual = ['rundll32.exe', 'msiexec.exe', 'wmic.exe', 'control.exe'].includes(parent)
    const child = startedProgram(event)
    return (
      proxyTechnique(parent) !== undefined &&
      !['conhost.exe', 'werfault.exe', parent].includes(child) &&
      (!isUsual || isInterpreter(child))
    )
  },
  why: 'was started by a signed program that runs foreign code',
}
