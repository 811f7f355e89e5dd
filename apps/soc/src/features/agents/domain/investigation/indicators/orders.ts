import { argumentsOf, hasAny, type Indicator, saidBy } from './indicator.ts'

/** Orders to other hosts, and what is taken along, as they are written. */
export const ORDERS: Indicator[] = [
  {
    id: 'wmi-order',
    weight: 30,
    techniques: ['T1047'],
    when: ['start', 'script'],
    test: (event) => {
      const said = saidBy(event)
      return (
        (said.includes('wmic') && said.includes('call create')) ||
        (hasAny(said, ['invoke-wmimethod', 'invoke-cimmethod', 'win32_process']) &&
          hasAny(said, ['create']) &&
          hasAny(said, ['-computername', 'invoke-wmi']))
      )
    },
    why: 'has WMI start a program',
  },
  {
    id: 'remote-shell',
    weight: 30,
    techniques: ['T1021.006'],
    when: ['start', 'script'],
    test: (event) => {
      const said = saidBy(event)
      return (
        hasAny(said, ['enter-pssession', 'new-pssession', 'winrs ', 'winrs.exe']) ||
        (said.includes('invoke-command') && said.includes('-computername'))
      )
    },
    why: 'opens a shell on another host',
  },
  {
    id: 'class-order',
    weight: 35,
    techniques: ['T1021.003'],
    when: ['start', 'script'],
    test: (event) =>
      hasAny(saidBy(event), [
        'mmc20.application',
        'gettypefromprogid',
        '9ba05972-f6a8-11cf-a442-00a0c90a8f39',
        'c08afd90-f2a1-11d1-8455-00a0c91f3880',
      ]),
    why: 'asks a class on another host to act',
  },
  {
    id: 'psexec',
    weight: 30,
    techniques: ['T1569.002', 'T1021.002'],
    when: ['start'],
    test: (event) => (argumentsOf(event, 'psexec', 'psexec64', 'paexec') ?? []).length > 0,
    why: 'runs a program on another host through a service',
  },
  {
    id: 'account-added',
    weight: 30,
    techniques: ['T1136.001'],
    when: ['start'],
    test: (event) => {
      const [verb = '', ...rest] = argumentsOf(event, 'net', 'net1') ?? []
      return verb.startsWith('user') && rest.includes('/add')
    },
    why: 'adds an account',
  },
  {
    id: 'group-member-added',
    weight: 25,
    techniques: ['T1098'],
    when: ['start'],
    test: (event) => {
      const [verb = '', ...rest] = argumentsOf(event, 'net', 'net1') ?? []
      return /^(local)?group/.test(verb) && rest.includes('/add')
    },
    why: 'adds an account to a group',
  },
  {
    id: 'keys-logged',
    weight: 35,
    techniques: ['T1056.001'],
    when: ['script'],
    test: (event) => hasAny(saidBy(event), ['getasynckeystate', 'get-keystrokes']),
    why: 'records what is typed',
  },
  {
    id: 'screen-taken',
    weight: 25,
    techniques: ['T1113'],
    when: ['script'],
    test: (event) => saidBy(event).includes('copyfromscreen'),
    why: 'takes a picture of the screen',
  },
  {
    id: 'packed-up',
    weight: 12,
    techniques: ['T1560.001'],
    when: ['start', 'script'],
    test: (event) =>
      saidBy(event).includes('compress-archive') ||
      (argumentsOf(event, 'rar', '7z') ?? [])[0] === 'a',
    why: 'packs files together',
  },
  {
    id: 'host-list',
    weight: 10,
    techniques: ['T1018'],
    when: ['start'],
    test: (event) => argumentsOf(event, 'net', 'net1')?.[0] === 'view',
    why: 'lists other hosts',
  },
  {
    id: 'process-list',
    weight: 6,
    techniques: ['T1057'],
    when: ['start'],
    test: (event) => argumentsOf(event, 'tasklist', 'qprocess') !== null,
    why: 'lists processes',
  },
  {
    id: 'network-list',
    weight: 6,
    techniques: ['T1016', 'T1049'],
    when: ['start'],
    test: (event) => argumentsOf(event, 'ipconfig', 'netstat', 'arp', 'route') !== null,
    why: 'asks about the network',
  },
]
