import type { Seen } from '../evidence/seen.ts'
import { hasAny, type Indicator } from './indicator.ts'

const LONGEST_ADDRESS = 4_096

const decoded = new WeakMap<Seen, string>()

/** The address that was asked for, decoded once: attacks hide in it. */
function asked(event: Seen): string {
  const known = decoded.get(event)
  if (known !== undefined) return known
  const text = decode(event)
  decoded.set(event, text)
  return text
}

function decode(event: Seen): string {
  const raw = (event.text('c-uri') || event.text('url.original')).slice(0, LONGEST_ADDRESS)
  try {
    return decodeURIComponent(raw.replaceAll('+', ' ')).toLowerCase()
  } catch {
    return raw.toLowerCase()
  }
}
export const statusOf = (event: Seen): number =>
  Number(event.text('sc-status') || event.text('http.response.status_code')) || 0
export const isAnswered = (event: Seen) => statusOf(event) >= 200 && statusOf(event) < 400

const INJECTION = [
  'union select',
  'union all select',
  "' or '1'='1",
  "' or 1=1",
  ' or 1=1--',
  'sleep(',
  'benchmark(',
  'xp_cmdshell',
  'information_schema',
]
const TRAVERSAL = ['../', '..\\', '/etc/passwd', 'win.ini', '/proc/self']
const COMMAND = [
  '${jndi:',
  ';wget ',
  '|wget ',
  ';curl ',
  '&&',
  'cmd.exe',
  '/bin/sh',
  'allow_url_include',
  'auto_prepend_file',
  '() {',
]
const SHELL = /(\/|=)(c99|r57|wso|b374k|shell|cmd|webshell|china|antak)\.(php|jsp|jspx|asp|aspx)\b/
const SECRETS = [
  '/.env',
  '/.git/',
  'wp-config',
  'id_rsa',
  '/.aws/',
  '.htpasswd',
  'web.config',
  '/.ssh/',
]
const SCANNERS = [
  'sqlmap',
  'nikto',
  'nmap',
  'masscan',
  'gobuster',
  'dirbuster',
  'wpscan',
  'nuclei',
  'acunetix',
  'zgrab',
  'feroxbuster',
  'ffuf',
]

const both = (
  id: string,
  weights: { answered: number; refused: number },
  technique: string,
  test: (event: Seen) => boolean,
  why: string,
): Indicator[] => [
  {
    id,
    weight: weights.answered,
    techniques: [technique],
    when: ['web'],
    test: (event) => isAnswered(event) && test(event),
    why: `${why}, and was answered`,
  },
  {
    id: `${id}-refused`,
    weight: weights.refused,
    techniques: [technique],
    when: ['web'],
    test: (event) => !isAnswered(event) && test(event),
    why,
  },
]

export const WEB: Indicator[] = [
  ...both(
    'web-injection',
    { answered: 35, refused: 14 },
    'T1190',
    (event) => hasAny(asked(event), INJECTION),
    'asks a database through an address',
  ),
  ...both(
    'web-traversal',
    { answered: 35, refused: 14 },
    'T1190',
    (event) => hasAny(asked(event), TRAVERSAL),
    'asks for files outside of the site',
  ),
  ...both(
    'web-command',
    { answered: 40, refused: 14 },
    'T1190',
    (event) => hasAny(asked(event), COMMAND),
    'hands a command to the site',
  ),
  ...both(
    'web-shell',
    { answered: 50, refused: 12 },
    'T1505.003',
    (event) => SHELL.test(asked(event)),
    'asks for a shell on the site',
  ),
  ...both(
    'web-secrets',
    { answered: 30, refused: 10 },
    'T1552.001',
    (event) => hasAny(asked(event), SECRETS),
    'asks for files with secrets',
  ),
  {
    id: 'web-scanner',
    weight: 20,
    techniques: ['T1595.002'],
    when: ['web'],
    test: (event) =>
      hasAny(
        (event.text('cs-user-agent') || event.text('user_agent.original')).toLowerCase(),
        SCANNERS,
      ),
    why: 'names itself as a scanner',
  },
]
