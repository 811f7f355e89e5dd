import type { Seen } from '../evidence/seen.ts'
import { hasAny, type Indicator } from './indicator.ts'

const action = (event: Seen) => event.text('event.action')
const isDone = (event: Seen) => event.text('event.outcome') !== 'failure'
/** Only what somebody ran with the rights of another: cron's own work is nobody's. */
const command = (event: Seen) =>
  action(event) === 'sudo' && isDone(event) ? event.text('process.command_line').toLowerCase() : ''
const POWERFUL = new Set(['sudo', 'wheel', 'admin', 'root', 'docker', 'adm'])

const runs = (
  id: string,
  weight: number,
  technique: string,
  parts: string[],
  why: string,
): Indicator => ({
  id,
  weight,
  techniques: [technique],
  when: ['auth'],
  test: (event) => hasAny(command(event), parts),
  why,
})

export const LINUX: Indicator[] = [
  {
    id: 'linux-account-new',
    weight: 30,
    techniques: ['T1136.001'],
    when: ['auth'],
    test: (event) => action(event) === 'user_added',
    why: 'creates an account',
  },
  {
    id: 'linux-group-member',
    weight: 30,
    techniques: ['T1098'],
    when: ['auth'],
    test: (event) =>
      action(event) === 'group_member_added' && POWERFUL.has(event.text('group.name')),
    why: 'gives an account the rights of an administrator',
  },
  {
    id: 'linux-password-set',
    weight: 15,
    techniques: ['T1098'],
    when: ['auth'],
    test: (event) => action(event) === 'password_changed',
    why: 'sets a password',
  },
  {
    id: 'linux-refused',
    weight: 12,
    techniques: ['T1548.003'],
    when: ['auth'],
    test: (event) => ['sudo', 'su'].includes(action(event)) && !isDone(event),
    why: 'tries to act as somebody else and is refused',
  },
  runs(
    'linux-secrets',
    35,
    'T1003.008',
    ['/etc/shadow', '/etc/gshadow', 'unshadow'],
    'reads the passwords of the host',
  ),
  runs(
    'linux-accounts-file',
    30,
    'T1098',
    ['/etc/sudoers', 'visudo', '/etc/passwd', 'authorized_keys'],
    'changes who may do what',
  ),
  runs(
    'linux-fetch',
    15,
    'T1105',
    ['wget http', 'curl http', 'curl -o', 'curl -s', 'wget -q', 'tftp ', ' ftp://'],
    'fetches a file over the network',
  ),
  runs(
    'linux-shell-out',
    40,
    'T1059.004',
    ['/dev/tcp/', 'nc -e', 'ncat -e', 'bash -i', 'socat ', 'mkfifo '],
    'opens a shell to the outside',
  ),
  runs(
    'linux-set-id',
    30,
    'T1548.001',
    ['chmod +s', 'chmod u+s', 'chmod 4'],
    'keeps rights for later',
  ),
  runs(
    'linux-start-later',
    20,
    'T1053.003',
    ['crontab', '/etc/cron', '/etc/rc.local'],
    'sets something to run later',
  ),
  runs(
    'linux-traces',
    35,
    'T1070.002',
    ['rm -rf /var/log', 'rm /var/log', 'truncate -s 0 /var/log', 'history -c', 'shred '],
    'removes traces',
  ),
  runs(
    'linux-protection-off',
    25,
    'T1562.004',
    ['iptables -f', 'ufw disable', 'setenforce 0', 'systemctl stop auditd', 'service auditd stop'],
    'switches protection off',
  ),
]
