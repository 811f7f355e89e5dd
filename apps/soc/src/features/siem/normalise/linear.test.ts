import { test } from 'node:test'
import { parseCef } from './catalogue/generic/cef.ts'
import { parseKeyValue } from './catalogue/generic/key-value.ts'
import { parseLeef } from './catalogue/generic/leef.ts'
import { parseAuth } from './catalogue/linux/auth.ts'
import { parseAccessLog } from './catalogue/web/access-log.ts'
import type { ParseText } from './parsed.ts'
import { parseSyslog } from './syslog-header.ts'

// So long that a parser whose work grows with the square of the length would take an hour: that it
// ends at all is the fact, and the clock of a busy machine has no say in it.
const LENGTH = 2_000_000

const PARSERS: Record<string, ParseText> = {
  'access log': parseAccessLog,
  auth: parseAuth,
  cef: parseCef,
  'key=value': parseKeyValue,
  leef: parseLeef,
  syslog: parseSyslog,
}

/** What comes once, what comes again and again, and how it ends. */
const SHAPES: [begin: string, again: string, end?: string][] = [
  ['', 'a'],
  ['', 'a '],
  ['', ' '],
  ['', '='],
  ['', 'a='],
  ['', ' a="'],
  ['', ' a="\\"'],
  ['', " a='"],
  ['', '\\'],
  ['', '"'],
  ['', '[', ']'],
  ['', '1'],
  ['', 'a:1'],
  ['', '1:1:'],
  ['pam_unix(sshd:auth): authentication failure;', 'a'],
  ['pam_unix(sshd:auth): authentication failure;', ' a=b'],
  ['pam_unix(sshd:auth): authentication failure;', 'a-'],
  ['pam_unix(', 'a:'],
  ['Failed password for ', ' from '],
  ['Failed password for invalid user ', 'a from b'],
  ['Connection closed by ', 'a:1 '],
  ['message repeated 2 times: [', ']'],
  ['1.2.3.4 - - ', '[10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1 ', '\n'],
  ['1.2.3.4 - - ', '[10/Oct/2000:13:55:36 -0700] ', '"'],
  ['1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "', 'GET /', '\n'],
  ['1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 ', '1', '\n'],
  ['1.2.3.4 - - [10/Oct/2000:13:55:36 -0700] "', '\\"', '\n'],
  ['', 'CEF:1'],
  ['CEF:0|v|p|1|c|n|5|', ' a='],
  ['CEF:0|v|p|1|c|n|5|', ' a'],
  ['CEF:0|', '\\|'],
  ['', 'LEEF:1|'],
  ['LEEF:1.0|', 'a'],
  ['LEEF:2.0|v|p|1|e|a|', 'a'],
  ['<13>1 - - - - - [a', ' b="c"'],
  ['<13>1 - - - - - ', '[a b="c"]'],
  ['<13>1 - - - - - [a b="', '\\"'],
  ['<13>Oct 11 22:14:15 ', 'a:'],
  ['<13>1 ', '1 '],
]

for (const [name, parse] of Object.entries(PARSERS)) {
  for (const process of ['sshd', 'sudo', 'su', 'cron', 'useradd', 'systemd-logind']) {
    if (process !== 'sshd' && name !== 'auth') continue
    test(`the work of the parser of ${name} grows with the length of the line (${process})`, () => {
      for (const [begin, again, end = ''] of SHAPES) {
        const text = begin + again.repeat(LENGTH / again.length) + end
        parse(text, { receivedAt: Date.UTC(2026, 0, 1), process })
      }
    })
  }
}
