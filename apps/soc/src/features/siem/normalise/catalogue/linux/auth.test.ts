import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAuth } from './auth.ts'

const EXAMPLES: [process: string, line: string, found: object][] = [
  [
    'sshd',
    'Accepted publickey for ubuntu from 203.0.113.9 port 54259 ssh2: RSA SHA256:abc',
    {
      user: 'ubuntu',
      src_ip: '203.0.113.9',
      fields: {
        'event.action': 'ssh_login',
        'event.outcome': 'success',
        'auth.method': 'publickey',
        'source.port': 54259,
      },
    },
  ],
  [
    'sshd',
    'Failed password for invalid user oracle db from 198.51.100.7 port 2222 ssh2',
    {
      user: 'oracle db',
      src_ip: '198.51.100.7',
      severity: 'low',
      fields: { 'event.outcome': 'failure', 'user.is_unknown': true },
    },
  ],
  [
    'sshd',
    'message repeated 2 times: [ Failed password for root from 198.51.100.7 port 1 ssh2]',
    { user: 'root', fields: { 'event.count': 2, 'event.outcome': 'failure' } },
  ],
  [
    'sshd-session',
    'Invalid user admin from 2001:db8::1 port 40022',
    { user: 'admin', src_ip: '2001:db8::1', fields: { 'event.action': 'ssh_invalid_user' } },
  ],
  [
    'sshd',
    'Connection closed by authenticating user root 192.0.2.3 port 4711 [preauth]',
    { user: 'root', src_ip: '192.0.2.3', fields: { 'source.port': 4711 } },
  ],
  [
    'sshd',
    'Received disconnect from 192.0.2.3: 11: Bye Bye [preauth]',
    { src_ip: '192.0.2.3', fields: { 'event.action': 'ssh_disconnect' } },
  ],
  [
    'sshd',
    'pam_unix(sshd:auth): authentication failure; logname= uid=0 euid=0 tty=ssh ruser= rhost=192.0.2.8  user=root',
    {
      user: 'root',
      src_ip: '192.0.2.8',
      fields: { 'pam.service': 'sshd', 'auth.tty': 'ssh', 'event.outcome': 'failure' },
    },
  ],
  [
    'sudo',
    '  ubuntu : TTY=pts/0 ; PWD=/home/ubuntu ; USER=root ; COMMAND=/usr/bin/apt-get install a ; b',
    {
      user: 'ubuntu',
      fields: {
        'user.target.name': 'root',
        'process.command_line': '/usr/bin/apt-get install a ; b',
        'process.working_directory': '/home/ubuntu',
      },
    },
  ],
  [
    'sudo',
    'mallory : user NOT in sudoers ; TTY=pts/1 ; PWD=/ ; USER=root ; COMMAND=/bin/sh',
    {
      user: 'mallory',
      severity: 'low',
      fields: { 'event.reason': 'user NOT in sudoers', 'event.outcome': 'failure' },
    },
  ],
  [
    'sudo',
    'pam_unix(sudo:session): session opened for user root(uid=0) by ubuntu(uid=1000)',
    { user: 'root', fields: { 'event.action': 'session_opened', 'pam.type': 'session' } },
  ],
  [
    'su',
    'FAILED SU (to root) bob on pts/3',
    { user: 'bob', fields: { 'user.target.name': 'root', 'event.outcome': 'failure' } },
  ],
  [
    'CRON',
    '(root) CMD (test -x /usr/sbin/anacron || run-parts /etc/cron.daily)',
    {
      user: 'root',
      fields: { 'process.command_line': 'test -x /usr/sbin/anacron || run-parts /etc/cron.daily' },
    },
  ],
  [
    'useradd',
    'new user: name=eve, UID=1001, GID=1001, home=/home/eve, shell=/bin/bash, from=none',
    { fields: { 'event.action': 'user_added', 'user.target.name': 'eve', 'auth.uid': '1001' } },
  ],
  [
    'usermod',
    "add 'eve' to group 'sudo'",
    { fields: { 'user.target.name': 'eve', 'group.name': 'sudo' } },
  ],
]

for (const [process, line, found] of EXAMPLES) {
  test(`${process}: ${line.trim().slice(0, 60)}`, () => {
    assert.partialDeepStrictEqual(parseAuth(line, { receivedAt: 0, process }), found)
  })
}

test('what other programs say is left alone', () => {
  const line = 'Failed password for root from 192.0.2.1 port 1 ssh2'
  assert.equal(parseAuth(line, { receivedAt: 0, process: 'nginx' }), undefined)
  assert.equal(parseAuth(line, { receivedAt: 0 }), undefined)
})

test('a name that looks like an address or a pair does not hide where it came from', () => {
  const ssh =
    'Failed password for invalid user x from 192.0.2.1 port 1 ssh2 from 198.51.100.7 port 2'
  assert.partialDeepStrictEqual(parseAuth(ssh, { receivedAt: 0, process: 'sshd' }), {
    src_ip: '198.51.100.7',
    user: 'x from 192.0.2.1 port 1 ssh2',
  })
  const pam =
    'pam_unix(sshd:auth): authentication failure; rhost=198.51.100.7  user=x rhost=192.0.2.1'
  const parsed = parseAuth(pam, { receivedAt: 0, process: 'sshd' })
  assert.equal(parsed?.src_ip, '198.51.100.7')
})
