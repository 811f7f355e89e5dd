import type { ParseText } from '../../parsed.ts'
import { counted } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { TextFormat } from '../log-format.ts'

const LINE =
  /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d) (install|upgrade|remove|purge|configure|trigproc|disappear|status|startup|conffile) /

/** `2026-03-03 10:00:00 install nmap:amd64 <none> 7.94`, `status installed nmap:amd64 7.94`. */
const read: ParseText = (text, { receivedAt }) => {
  const [head, time, action = ''] = LINE.exec(text) ?? []
  if (head === undefined) return undefined
  const words = text.slice(head.length).split(' ', 6)
  const state = action === 'status' ? words.shift() : undefined
  const [name = '', before, after] = words
  const isChange =
    action === 'install' || action === 'upgrade' || action === 'remove' || action === 'purge'
  const isPackage = action !== 'startup' && action !== 'conffile'
  return {
    source: 'dpkg',
    at: momentOf(time, receivedAt),
    process: 'dpkg',
    event_code: state ? `${action} ${state}` : action,
    fields: counted({
      'package.name': isPackage ? name.split(':', 1)[0] : undefined,
      'package.architecture': isPackage ? name.split(':')[1] : undefined,
      'package.version': isChange && action !== 'remove' && action !== 'purge' ? after : before,
      'package.previous_version': isChange && before !== '<none>' ? before : undefined,
      'event.action': state ?? action,
      'event.outcome': state === 'installed' ? 'success' : undefined,
    }),
  }
}

export const dpkg: TextFormat = {
  id: 'linux.dpkg',
  title: 'dpkg',
  group: 'linux',
  kind: 'text',
  ecs: 'package',
  ocsf: {
    class: 'application_lifecycle',
    activity: { install: 'install', remove: 'remove', upgrade: 'update' },
  },
  when: {
    marks: [
      ':amd64 ',
      ':all ',
      ':i386 ',
      ':arm64 ',
      ':armhf ',
      ' startup archives',
      ' startup packages',
    ],
  },
  read,
  samples: [
    {
      event:
        '2026-03-03 10:00:00 install nmap:amd64 <none> 7.94+git20230807.3be01efb1+dfsg-3build2',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'dpkg',
        process: 'dpkg',
        event_code: 'install',
        fields: { 'package.name': 'nmap', 'event.action': 'install' },
      },
    },
    {
      event: '2026-03-03 10:00:00 status installed nmap:amd64 7.94',
      expect: { fields: { 'package.version': '7.94', 'event.action': 'installed' } },
    },
  ],
}
