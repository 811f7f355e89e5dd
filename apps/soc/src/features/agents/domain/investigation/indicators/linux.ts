import type { Seen } from '../evidence/seen.ts'
import { hasAny, type Indicator } from './indicator.ts'

const action = (event: Seen) => event.text('event.action')
const isDone = (event: Seen) => event.text('event.outcome') !== 'failure'
/** Only what somebody ran with the rights of another: cron's own work is nobody's. */
const command = (event: Seen) =>
  action(event) === 'sudo' && isDone(event) ? event.text('process.command_line').toLowerCase() : ''
const POWERFUL = new Set(['sudo', 'wheel', 'admin', 'root', 'docker', 'adm'])

const runs =
  (...parts: string[]) =>
  (event: Seen) =>
    hasAny(command(event), parts)

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
  {
    id: 'linux-secrets',
    weight: 35,
    techniques: ['T1003.008'],
    when: ['auth'],
    test: runs('/etc/shadow', '/etc/gshadow', 'unshadow'),
    why: 'reads the passwords of the host',
  },
  {
    id: 'linux-accounts-file',
    weight: 30,
    techniques: ['T1098'],
    when: ['auth'],
    test: runs('/etc/sudoers', 'visudo', '/etc/passwd', 'authorized_keys'),
    why: 'changes who may do what',
  },
  {
    id: 'linux-fetch',
    weight: 15,
    techniques: ['T1105'],
    when: ['auth'],
    test: runs('wget http', 'curl http', 'curl -o', 'curl -s', 'wget -q', 'tftp ', ' ftp://'),
    why: 'fetches a file over the network',
  },
  {
    id: 'linux-shell-out',
    weight: 40,
    techniques: ['T1059.004'],
    when: ['auth'],
    test: runs('/dev/tcp/', 'nc -e', 'ncat -e', 'bash -i', 'socat ', 'mkfifo '),
    why: 'opens a shell to the outside',
  },
  {
    id: 'linux-set-id',
    weight: 30,
    techniques: ['T1548.001'],
    when: ['auth'],
    test: runs('chmod +s', 'chmod u+s', 'chmod 4'),
    why: 'keeps rights for later',
  },
  {
    id: 'linux-start-later',
    weight: 20,
    techniques: ['T1053.003'],
    when: ['auth'],
    test: runs('crontab', '/etc/cron', '/etc/rc.local'),
    why: 'sets something to run later',
  },
  {
    id: 'linux-traces',
    weight: 35,
    techniques: ['T1070.002'],
    when: ['auth'],
    test: runs('rm -rf /var/log', 'rm /var/log', 'truncate -s 0 /var/log', 'history -c', 'shred '),
    why: 'removes traces',
  },
  {
    id: 'linux-protection-off',
    weight: 25,
    techniques: ['T1562.004'],
    when: ['auth'],
    test: runs(
      'iptables -f',
      'ufw disable',
      'setenforce 0',
      'systemctl stop auditd',
      'service auditd stop',
    ),
    why: 'switches protection off',
  },
]
