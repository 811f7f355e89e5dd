import { numberOf, personOf } from '../evidence/names.ts'
import { isHub, isInterpreter } from '../evidence/programs.ts'
import type { Seen } from '../evidence/seen.ts'
import {
  argumentsOf,
  hasAny,
  type Indicator,
  saidBy,
  scriptOf,
  startedProgram,
} from './indicator.ts'

const VM_READ = 0x10
const TOOLS =
  /^(mimikatz|procdump(64)?|nanodump|dumpert|outflank-dumpert|gsecdump|pwdump\d*|lazagne|rubeus|secretsdump)\.exe$/
const REPLICATION = ['1131f6aa-9c07-11d1-f79f-00c04fc2dcd2', '1131f6ad-9c07-11d1-f79f-00c04fc2dcd2']

const saves = (event: Seen, ...hives: string[]) => {
  const [verb, key = ''] = argumentsOf(event, 'reg') ?? []
  return verb === 'save' && hives.some((hive) => key.endsWith(`\\${hive}`))
}
const registryKey = (event: Seen) => event.text('ObjectName').toLowerCase()

export const CREDENTIALS: Indicator[] = [
  {
    id: 'lsass-read',
    weight: 30,
    techniques: ['T1003.001'],
    when: ['sysmon:10'],
    test: (event) =>
      event.program('TargetImage') === 'lsass.exe' &&
      (numberOf(event.text('GrantedAccess')) & VM_READ) > 0 &&
      !isHub(event.program('SourceImage')),
    why: 'reads the memory of lsass',
  },
  {
    id: 'lsass-handle',
    weight: 30,
    techniques: ['T1003.001'],
    when: ['security:4656', 'security:4663'],
    test: (event) =>
      event.program('ObjectName') === 'lsass.exe' &&
      event.text('ObjectType').toLowerCase() === 'process' &&
      (numberOf(event.text('AccessMask')) & VM_READ) > 0 &&
      !isHub(event.program('ProcessName')),
    why: 'asks to read the memory of lsass',
  },
  {
    id: 'lsass-dump',
    weight: 45,
    techniques: ['T1003.001'],
    when: ['start'],
    test: (event) => {
      const line = event.text('CommandLine').toLowerCase()
      return line.includes('comsvcs') && hasAny(line, ['minidump', '#24', '#-'])
    },
    why: 'writes the memory of a process to a file',
  },
  {
    id: 'hive-save',
    weight: 40,
    techniques: ['T1003.002'],
    when: ['start'],
    test: (event) => saves(event, 'sam', 'system'),
    why: 'saves a credential hive',
  },
  {
    id: 'lsa-secrets',
    weight: 45,
    techniques: ['T1003.004'],
    when: ['start'],
    test: (event) =>
      saves(event, 'security') ||
      (argumentsOf(event, 'reg') ?? []).some((word) => word.includes('security\\policy\\secrets')),
    why: 'saves the LSA secrets',
  },
  {
    id: 'hive-copy',
    weight: 40,
    techniques: ['T1003.002'],
    when: ['start'],
    test: (event) => {
      const line = event.text('CommandLine').toLowerCase()
      return line.includes('\\config\\sam') || line.includes('\\config\\security')
    },
    why: 'copies the file of a credential hive',
  },
  {
    id: 'ntds-copy',
    weight: 45,
    techniques: ['T1003.003'],
    when: ['start'],
    test: (event) => {
      const line = event.text('CommandLine').toLowerCase()
      return line.includes('ntds.dit') || (line.includes('ntdsutil') && line.includes('ifm'))
    },
    why: 'copies the database of the directory',
  },
  {
    id: 'sam-read',
    weight: 35,
    techniques: ['T1003.002'],
    when: ['security:4656', 'security:4663'],
    test: (event) => {
      const key = registryKey(event)
      return (
        key.includes('\\sam\\') &&
        hasAny(key, ['\\domains', '\\users']) &&
        !isHub(event.program('ProcessName'))
      )
    },
    why: 'reads account keys of the SAM',
  },
  {
    id: 'boot-key',
    weight: 45,
    techniques: ['T1003.002', 'T1003.004'],
    when: ['security:4656', 'security:4663'],
    test: (event) =>
      /control\\lsa\\(jd|skew1|gbg|data)$/.test(registryKey(event)) &&
      !isHub(event.program('ProcessName')),
    why: 'reads the boot key that protects the SAM',
  },
  {
    id: 'replication',
    weight: 80,
    techniques: ['T1003.006'],
    when: ['security:4662'],
    test: (event) =>
      hasAny(event.text('Properties').toLowerCase(), REPLICATION) &&
      personOf(event.text('SubjectUserName')) !== '',
    why: 'asks for directory replication as a person',
  },
  {
    id: 'vault-read',
    weight: 30,
    techniques: ['T1555.004'],
    when: ['security:5381', 'security:5382'],
    test: () => true,
    why: 'reads stored credentials from the vault',
  },
  {
    id: 'password-prompt',
    weight: 40,
    techniques: ['T1056.002'],
    when: ['start', 'script', 'sysmon:7'],
    test: (event) =>
      event.code === 7 && event.kind === 'sysmon'
        ? event.program('ImageLoaded') === 'credui.dll' && isInterpreter(event.program('Image'))
        : saidBy(event).includes('promptforcredential'),
    why: 'asks the user for a password',
  },
  {
    id: 'tickets',
    weight: 40,
    techniques: ['T1550.003', 'T1558'],
    when: ['start', 'script'],
    test: (event) =>
      hasAny(saidBy(event), [
        'asktgt',
        'asktgs',
        'kerberoast',
        'asreproast',
        '/ptt',
        'ptt /ticket',
        'kerberos::',
        'invoke-kerberoast',
      ]),
    why: 'handles Kerberos tickets by hand',
  },
  {
    id: 'known-tool',
    weight: 30,
    techniques: ['T1003'],
    when: ['start', 'sysmon:7', 'sysmon:10'],
    test: (event) => TOOLS.test(startedProgram(event) || event.program('SourceImage')),
    why: 'is a known credential tool',
  },
  {
    id: 'mimikatz-words',
    weight: 40,
    techniques: ['T1003'],
    when: ['start', 'script'],
    test: (event) => hasAny(saidBy(event), ['sekurlsa::', 'lsadump::', 'invoke-mimikatz']),
    why: 'asks a credential tool for passwords',
  },
  {
    id: 'adfs-key',
    weight: 20,
    techniques: ['T1552.004'],
    when: ['sysmon:3', 'security:5156'],
    test: (event) =>
      (event.program('Image') || event.program('Application')) ===
        'microsoft.identityserver.servicehost.exe' &&
      ['389', '636', '3268'].includes(event.text('DestinationPort') || event.text('DestPort')),
    why: 'AD FS asks the directory, which holds the key to its signing certificate',
  },
  {
    id: 'adfs-configuration',
    weight: 30,
    techniques: ['T1552.004', 'T1005'],
    when: ['security:412', 'system:412'],
    test: (event) =>
      event.text('Provider_Name').toLowerCase().startsWith('ad fs') &&
      event.text('Message').includes('SecureConversation'),
    why: 'somebody signed in to the configuration service of AD FS',
  },
  {
    id: 'dpapi-keys',
    weight: 30,
    techniques: ['T1555', 'T1003.004'],
    when: ['script'],
    test: (event) => hasAny(scriptOf(event), ['export-aadintadfs', 'get-aadint']),
    why: 'exports secrets of the federation service',
  },
]
