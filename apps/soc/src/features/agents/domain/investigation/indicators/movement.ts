import { numberOf, personOf } from '../evidence/names.ts'
import { isHub } from '../evidence/programs.ts'
import type { Seen } from '../evidence/seen.ts'
import { connecting, type Indicator, isOutgoing, isStart, targetPort } from './indicator.ts'

const isPerson = (event: Seen) => personOf(event.text('SubjectUserName')) !== ''
const share = (event: Seen) => event.text('ShareName').toLowerCase()
const onShare = (event: Seen) => event.text('RelativeTargetName').toLowerCase()
const SERVICE_SIDS = ['S-1-5-18', 'S-1-5-19', 'S-1-5-20']
// File systems' rights to write data or to append.
const WRITE = 0x6
const ASKS_MAPPER = new Set(['dsregcmd.exe', 'gpupdate.exe', 'mmc.exe', 'dfsrs.exe', 'dfssvc.exe'])

export const MOVEMENT: Indicator[] = [
  {
    id: 'service-manager',
    weight: 25,
    techniques: ['T1021.002', 'T1007'],
    when: ['sysmon:17', 'sysmon:18', 'security:5145', 'security:4656'],
    test: (event) => {
      if (event.kind === 'sysmon') {
        return (
          event.text('PipeName').toLowerCase().includes('svcctl') && !isHub(event.program('Image'))
        )
      }
      if (event.code === 5145) return onShare(event).includes('svcctl')
      return (
        event.text('ObjectType').toUpperCase().includes('SC_MANAGER') &&
        isPerson(event) &&
        !SERVICE_SIDS.includes(event.text('SubjectUserSid'))
      )
    },
    why: 'speaks to the service manager of a host',
  },
  {
    id: 'admin-share',
    weight: 25,
    techniques: ['T1021.002'],
    when: ['security:5140', 'security:5145'],
    test: (event) =>
      /(admin|\\[a-z])\$$/.test(share(event)) && !share(event).endsWith('ipc$') && isPerson(event),
    why: 'opens an administrative share',
  },
  {
    id: 'share-program',
    weight: 30,
    techniques: ['T1021.002', 'T1570'],
    when: ['security:5145'],
    test: (event) =>
      /\.(exe|dll|ps1|bat|sys|hta|vbs)$/.test(onShare(event)) &&
      isPerson(event) &&
      (event.text('AccessMask') === '' ||
        (numberOf(event.text('AccessMask')) & WRITE) > 0 ||
        /(admin|\\[a-z])\$$/.test(share(event))),
    why: 'puts a program on a share',
  },
  {
    id: 'session-list',
    weight: 8,
    techniques: ['T1049'],
    when: ['security:5145'],
    test: (event) =>
      share(event).endsWith('ipc$') && onShare(event) === 'srvsvc' && isPerson(event),
    why: 'asks a host for its sessions or shares',
  },
  {
    id: 'account-list',
    weight: 8,
    techniques: ['T1087.002', 'T1069.002'],
    when: ['security:5145'],
    test: (event) => share(event).endsWith('ipc$') && onShare(event) === 'samr' && isPerson(event),
    why: 'asks a host for its accounts',
  },
  {
    id: 'winrm-out',
    weight: 30,
    techniques: ['T1021.006'],
    when: ['sysmon:3', 'security:5156'],
    test: (event) =>
      ['5985', '5986'].includes(targetPort(event)) &&
      isOutgoing(event) &&
      !isHub(connecting(event)),
    why: 'connects to WinRM of another host',
  },
  {
    id: 'winrm-library',
    weight: 20,
    techniques: ['T1021.006'],
    when: ['sysmon:7'],
    test: (event) =>
      ['wsmauto.dll', 'wsmsvc.dll'].includes(event.program('ImageLoaded')) &&
      !isHub(event.program('Image')) &&
      event.program('Image') !== 'wsmprovhost.exe',
    why: 'loads the WinRM library',
  },
  {
    id: 'rpc-out',
    weight: 22,
    techniques: ['T1021.003'],
    when: ['sysmon:3', 'security:5156', 'security:5157'],
    test: (event) =>
      targetPort(event) === '135' &&
      isOutgoing(event) &&
      !isHub(connecting(event)) &&
      !ASKS_MAPPER.has(connecting(event)),
    why: 'connects to the RPC mapper of another host',
  },
  {
    id: 'desktop-out',
    weight: 12,
    techniques: ['T1021.001'],
    when: ['sysmon:3', 'security:5156'],
    test: (event) =>
      targetPort(event) === '3389' &&
      isOutgoing(event) &&
      !isHub(connecting(event)) &&
      connecting(event) !== 'mstsc.exe',
    why: 'connects to the remote desktop of another host',
  },
  {
    id: 'netlogon-attack',
    weight: 60,
    techniques: ['T1210', 'T1068'],
    when: [
      'start',
      'system:5805',
      'system:5723',
      'system:5827',
      'system:5828',
      'system:5829',
      'security:4742',
    ],
    test: (event) => {
      if (isStart(event)) return event.text('CommandLine').toLowerCase().includes('zerologon')
      if (event.code !== 4742) return true
      return event.text('SubjectUserName').toLowerCase().startsWith('anonymous')
    },
    why: 'attacks the Netlogon channel',
  },
  {
    id: 'other-password',
    weight: 12,
    techniques: ['T1078'],
    when: ['security:4648'],
    test: (event) => {
      const who = personOf(event.text('SubjectUserName'))
      const as = personOf(event.text('TargetUserName'))
      return who !== '' && as !== '' && who !== as
    },
    why: 'uses the password of somebody else',
  },
]
