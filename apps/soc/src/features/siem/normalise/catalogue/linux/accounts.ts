import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { within, wordAfter } from '../../scan/words.ts'
import type { TextFormat } from '../log-format.ts'

type Wording = [begin: string, action: string, user: string, end: string]

// How shadow's programs say what they did, and between which signs the account stands.
const WORDINGS: Wording[] = [
  ['new user: name=', 'user_added', 'name=', ','],
  ['new account: name=', 'user_added', 'name=', ','],
  ['new group: name=', 'group_added', '', ''],
  ['group added to ', 'group_added', '', ''],
  ['delete user ', 'user_deleted', "user '", "'"],
  ['removed group ', 'group_deleted', '', ''],
  ["group '", 'group_deleted', '', ''],
  ["change user '", 'user_changed', "user '", "'"],
  ["lock user '", 'user_locked', "user '", "'"],
  ["unlock user '", 'user_unlocked', "user '", "'"],
  ["add '", 'group_member_added', "add '", "'"],
  ["delete '", 'group_member_removed', "delete '", "'"],
  ["removed '", 'group_member_removed', "removed '", "'"],
  ["password for '", 'password_changed', "for '", "'"],
  ['changed password expiry for ', 'password_expiry_changed', '', ''],
  ['changed user ', 'user_changed', "user '", "'"],
  ["failed adding user '", 'user_added', "user '", "'"],
  ['failed adding group ', 'group_added', "group '", "'"],
]

/** useradd, usermod, userdel, groupadd, groupmod, groupdel, gpasswd, passwd, chage and chsh. */
const read: ParseText = (text) => {
  const wording = WORDINGS.find(([begin]) => text.startsWith(begin))
  if (!wording) return undefined
  const [begin, action, before, after] = wording
  const target = before ? within(text, before, after) : undefined
  const isGroup = action.startsWith('group_') && !action.startsWith('group_member')
  const group =
    within(text, "group '", "'") ??
    (isGroup ? (within(text, 'name=', ',') ?? wordAfter(text, begin)) : undefined)
  const isFailed = text.startsWith('failed ')
  return {
    source: 'accounts',
    severity: isFailed ? 'medium' : 'low',
    fields: counted({
      'user.target.name': target ?? (isGroup ? undefined : wordAfter(text, begin)),
      'group.name': group,
      'user.target.id': within(text, 'UID=', ','),
      'group.id': wordAfter(text, 'GID='),
      'event.action': action,
      'event.outcome': isFailed ? 'failure' : 'success',
    }),
  }
}

export const accounts: TextFormat = {
  id: 'linux.accounts',
  title: 'useradd, usermod, userdel, groupadd, passwd and kin',
  group: 'linux',
  kind: 'text',
  ecs: 'iam',
  ocsf: {
    class: 'account_change',
    activity: {
      user_added: 'create',
      user_deleted: 'delete',
      user_locked: 'lock',
      password_changed: 'password_change',
    },
  },
  when: {
    programs: [
      ...[
        'useradd',
        'adduser',
        'usermod',
        'userdel',
        'deluser',
        'groupadd',
        'addgroup',
        'groupmod',
      ],
      ...['groupdel', 'gpasswd', 'passwd', 'chpasswd', 'chage', 'chsh', 'chfn', 'newusers'],
    ],
  },
  read,
  samples: [
    {
      event: "<86>Mar  3 10:00:00 web1 usermod[4711]: lock user 'mona' password",
      expect: {
        source: 'accounts',
        host: 'web1',
        process: 'usermod',
        fields: {
          'user.target.name': 'mona',
          'event.action': 'user_locked',
          'event.outcome': 'success',
        },
      },
    },
    {
      event:
        '<86>Mar  3 10:00:00 web1 groupadd[4711]: group added to /etc/group: name=ops, GID=1007',
      expect: { fields: { 'group.name': 'ops', 'event.action': 'group_added' } },
    },
    {
      event: "<86>Mar  3 10:00:00 web1 userdel[4711]: removed group 'mona' owned by 'mona'",
      expect: { fields: { 'group.name': 'mona', 'event.action': 'group_deleted' } },
    },
    {
      event: '<86>Mar  3 10:00:00 web1 chage[4711]: changed password expiry for mona',
      expect: { fields: { 'user.target.name': 'mona', 'event.action': 'password_expiry_changed' } },
    },
  ],
}
