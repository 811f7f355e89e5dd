import { personOf } from '../evidence/names.ts'
import { isHub } from '../evidence/programs.ts'
import {
  argumentsOf,
  connecting,
  hasAny,
  type Indicator,
  isOutgoing,
  targetPort,
} from './indicator.ts'

const ASKS_DIRECTORY = /webservices|identityserver|dfs|dns|^mmc|dsac|ismserv|certsrv/

export const DISCOVERY: Indicator[] = [
  {
    id: 'group-list',
    weight: 12,
    techniques: ['T1069.001'],
    when: ['security:4799'],
    test: (event) => personOf(event.text('SubjectUserName')) !== '',
    why: 'enumerates a local group',
  },
  {
    id: 'net-localgroup',
    weight: 15,
    techniques: ['T1069.001'],
    when: ['start'],
    test: (event) => argumentsOf(event, 'net', 'net1')?.[0]?.startsWith('localg') === true,
    why: 'lists local groups',
  },
  {
    id: 'net-group',
    weight: 15,
    techniques: ['T1069.002'],
    when: ['start'],
    test: (event) => {
      const [verb = '', ...rest] = argumentsOf(event, 'net', 'net1') ?? []
      return verb.startsWith('group') && rest.some((word) => word.startsWith('/dom'))
    },
    why: 'lists domain groups',
  },
  {
    id: 'net-user',
    weight: 15,
    techniques: ['T1087.002'],
    when: ['start'],
    test: (event) => {
      const [verb = '', ...rest] = argumentsOf(event, 'net', 'net1') ?? []
      return verb.startsWith('user') && rest.some((word) => word.startsWith('/dom'))
    },
    why: 'lists domain users',
  },
  {
    id: 'directory-query',
    weight: 20,
    techniques: ['T1069.002', 'T1087.002'],
    when: ['sysmon:3', 'security:5156'],
    test: (event) =>
      ['389', '636', '3268'].includes(targetPort(event)) &&
      isOutgoing(event) &&
      !isHub(connecting(event)) &&
      !ASKS_DIRECTORY.test(connecting(event)),
    why: 'asks the directory from an unusual program',
  },
  {
    id: 'registry-query',
    weight: 6,
    techniques: ['T1012'],
    when: ['start'],
    test: (event) => argumentsOf(event, 'reg')?.[0] === 'query',
    why: 'queries the registry',
  },
  {
    id: 'software-query',
    weight: 12,
    techniques: ['T1518'],
    when: ['start'],
    test: (event) =>
      argumentsOf(event, 'reg')?.[0] === 'query' &&
      hasAny(event.text('CommandLine').toLowerCase(), [
        'svcversion',
        'uninstall',
        'internet explorer',
      ]),
    why: 'looks for installed software',
  },
  {
    id: 'service-query',
    weight: 10,
    techniques: ['T1007'],
    when: ['start'],
    test: (event) =>
      (argumentsOf(event, 'sc') ?? []).slice(0, 2).some((word) => word.startsWith('query')),
    why: 'queries services',
  },
  {
    id: 'trust-query',
    weight: 15,
    techniques: ['T1482'],
    when: ['start'],
    test: (event) => (argumentsOf(event, 'nltest') ?? []).length > 0,
    why: 'asks for domain controllers and trusts',
  },
  {
    id: 'who-am-i',
    weight: 8,
    techniques: ['T1033'],
    when: ['start'],
    test: (event) => argumentsOf(event, 'whoami', 'quser') !== null,
    why: 'asks who it runs as',
  },
  {
    id: 'system-query',
    weight: 6,
    techniques: ['T1082'],
    when: ['start'],
    test: (event) => argumentsOf(event, 'systeminfo', 'hostname') !== null,
    why: 'asks about the system',
  },
]
