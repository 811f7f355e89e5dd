import type { Fields } from '../../fields.ts'
import { withBreaks } from './message-breaks.ts'

/** Longer ones have more to say than names. */
const MOST_LINES = 400

/** Whose names these are, by the line above them. */
const SECTIONS = new Map(
  Object.entries({
    Subject: 'Subject',
    'Creator Subject': 'Subject',
    'Target Subject': 'Target',
    'New Logon': 'Target',
    'Account For Which Logon Failed': 'Target',
    'Account Whose Credentials Were Used': 'Target',
    'Account That Was Locked Out': 'Target',
    'Account Information': 'Target',
    'Target Account': 'Target',
    'New Account': 'Target',
    User: 'Target',
    Group: 'Target',
  }),
)
const OF_SECTION = new Map(
  Object.entries({
    'Security ID': 'UserSid',
    'Account Name': 'UserName',
    'Account Domain': 'DomainName',
    'Domain Name': 'DomainName',
    'Logon ID': 'LogonId',
    'Group Name': 'UserName',
    'Group Domain': 'DomainName',
  }),
)

/** What the data of an event is called, where it is not its label without the spaces. */
const NAMES = new Map(
  Object.entries({
    'Source Network Address': 'IpAddress',
    'Network Address': 'IpAddress',
    'Client Address': 'IpAddress',
    'Client Port': 'IpPort',
    'Logon Process': 'LogonProcessName',
    'Authentication Package': 'AuthenticationPackageName',
    'Logon GUID': 'LogonGuid',
    'Process ID': 'ProcessId',
    'Creator Process ID': 'ProcessId',
    'New Process ID': 'NewProcessId',
    'Creator Process Name': 'ParentProcessName',
    'Process Command Line': 'CommandLine',
    'Failure Code': 'Status',
    'Result Code': 'Status',
    'Sub Status': 'SubStatus',
    'Handle ID': 'HandleId',
    Accesses: 'AccessList',
    Privileges: 'PrivilegeList',
    'Share Path': 'ShareLocalPath',
    'Application Name': 'Application',
    'Destination Address': 'DestAddress',
    'Destination Port': 'DestPort',
    'Package Name (NTLM only)': 'LmPackageName',
    'SAM Account Name': 'SamAccountName',
    'Filter Run-Time ID': 'FilterRTID',
    'Layer Run-Time ID': 'LayerRTID',
    'Source Name': 'AuditSourceName',
  }),
)
/** Where a number of an event has its own. */
const NAMES_BY_CODE = new Map([
  ['4624 Source Port', 'IpPort'],
  ['4625 Source Port', 'IpPort'],
  ['7045 Service File Name', 'ImagePath'],
  ['7045 Service Start Type', 'StartType'],
  ['7045 Service Account', 'AccountName'],
])

/** What rules know by the number that stands in the data in place of the word. */
const WORDS = new Map(
  Object.entries({
    Inbound: '%%14592',
    Outbound: '%%14593',
    'Receive/Accept': '%%14610',
    Connect: '%%14611',
    Impersonation: '%%1833',
    READ_CONTROL: '%%1538',
    'Query key value': '%%4432',
    'Read from process memory': '%%4484',
    ReadPasswordParameters: '%%5392',
    'Value Added': '%%14674',
    'Success removed': '%%8448',
    'Failure removed': '%%8450',
  }),
)
const worded = (text: string) => WORDS.get(text) ?? text
/** One below the other, as where the breaks are left. */
const listed = (text: string) =>
  text
    .split(/ {3,9}/)
    .map(worded)
    .join('\n\t\t\t\t')

/** `<tab>Account Name:<tabs>eve`, and `Image: C:\…` of Sysmon. */
const LABELLED = /^\s{0,8}([A-Za-z][\w ()/-]{0,60}?) ?:(?:\s+(.*))?$/s

/**
 * The names in the text of an event, for forwarders that send nothing else of its data: Sysmon writes
 * them as they are, the Security log as labels, in sections that say whose they are.
 */
export function namesInMessage(text: string, code: string | undefined): Fields {
  const script = scriptIn(text)
  if (script) return script
  const message = withBreaks(text)
  const isFlat = message !== text
  const found: Fields = {}
  let section: string | undefined
  let last: string | undefined
  for (const line of message.split('\n', MOST_LINES)) {
    const [, label = '', said = ''] =
      LABELLED.exec(isFlat ? line.trimEnd() : line.replace(/\r$/, '')) ?? []
    if (label === '') {
      // Lists, as of privileges, have one below the other.
      const more = line.trim()
      if (more === '' || !/^\s/.test(line)) last = undefined
      else if (last !== undefined) found[last] = `${found[last]}\n\t\t\t\t${worded(more)}`
      continue
    }
    if (said === '' && !/^\s/.test(line)) {
      section = SECTIONS.get(label)
      last = undefined
      continue
    }
    const name = nameOf(label, section, code)
    if (!Object.hasOwn(found, name)) found[name] = isFlat ? listed(said) : worded(said)
    last = name
  }
  return found
}

export function nameOf(label: string, section: string | undefined, code: string | undefined) {
  const part = section && OF_SECTION.get(label)
  if (part) return section + part
  return NAMES_BY_CODE.get(`${code} ${label}`) ?? NAMES.get(label) ?? label.replaceAll(' ', '')
}

const SCRIPT = /^Creating Scriptblock text \((\d{1,6}) of (\d{1,6})\):\r?\n/
const CONTEXT = /\nContext:\r?\n/

const DETAILS = /\nDetails:[ \t]*\r?\n/

/** What PowerShell logged, of which lines are part. */
function scriptIn(message: string): Fields | undefined {
  const begin = SCRIPT.exec(message)
  if (begin) {
    const [head, number = '', total = ''] = begin
    const end = message.lastIndexOf('\nScriptBlock ID: ')
    const text = message.slice(head.length, end < 0 ? undefined : end).trimEnd()
    const [id, path] = end < 0 ? [] : message.slice(end + 16).split(/\r?\nPath: /, 2)
    return {
      MessageNumber: number,
      MessageTotal: total,
      ScriptBlockText: text,
      ...(id ? { ScriptBlockId: id.trim() } : {}),
      ...(path ? { Path: path.trim() } : {}),
    }
  }
  const context = CONTEXT.exec(message)
  if (context) {
    const [info = ''] = message.slice(context.index + context[0].length).split('User Data:', 1)
    return { Payload: message.slice(0, context.index).trim(), ContextInfo: info.trim() }
  }
  const details = DETAILS.exec(message)
  return details ? { Data: message.slice(details.index + details[0].length).trim() } : undefined
}
