/** Headings in the texts of the Security log. */
const HEADINGS = [
  ...['Subject', 'Creator Subject', 'Target Subject', 'New Logon', 'Target Account', 'New Account'],
  ...[
    'Account For Which Logon Failed',
    'Account Whose Credentials Were Used',
    'Account Information',
  ],
  ...['Account That Was Locked Out', 'Process Information', 'Network Information', 'Attributes'],
  ...['Logon Information', 'Failure Information', 'Detailed Authentication Information'],
  ...['Additional Information', 'Service Information', 'Task Information', 'Share Information'],
  ...[
    'Access Request Information',
    'Changed Attributes',
    'Target Server',
    'Application Information',
  ],
  ...['Filter Information', 'Access Check Results', 'Privileges Used', 'Change Information'],
  ...['Object', 'Member', 'Group', 'Directory Service'],
]
const LABELS = [
  ...['Security ID', 'Account Name', 'Account Domain', 'Logon ID', 'Logon GUID', 'Logon Type'],
  ...['Group Name', 'Group Domain', 'Failure Reason', 'Status', 'Sub Status', 'Logon Process'],
  ...[
    'Workstation Name',
    'Source Workstation',
    'Source Network Address',
    'Network Address',
    'Port',
  ],
  ...['Source Port', 'Source Address', 'Client Address', 'Client Port', 'Client Name'],
  ...['Destination Address', 'Destination Port', 'Authentication Package', 'Transited Services'],
  ...['Package Name \\(NTLM only\\)', 'Key Length', 'Restricted Admin Mode', 'Virtual Account'],
  ...['Elevated Token', 'Impersonation Level', 'Linked Logon ID', 'Network Account Name'],
  ...['Network Account Domain', 'Caller Process ID', 'Caller Process Name', 'Process ID'],
  ...['Process Name', 'New Process ID', 'New Process Name', 'Token Elevation Type'],
  ...['Mandatory Label', 'Creator Process ID', 'Creator Process Name', 'Process Command Line'],
  ...['Exit Status', 'Object Server', 'Object Type', 'Object Name', 'Handle ID', 'Accesses'],
  ...['Access Mask', 'Access Reasons', 'Properties', 'Privileges', 'Transaction ID'],
  ...[
    'Share Name',
    'Share Path',
    'Relative Target Name',
    'Service Name',
    'Service ID',
    'Service Type',
  ],
  ...[
    'Service File Name',
    'Service Start Type',
    'Service Account',
    'Ticket Options',
    'Result Code',
  ],
  ...['Ticket Encryption Type', 'Failure Code', 'Pre-Authentication Type', 'Supplied Realm Name'],
  ...['User ID', 'Task Name', 'Task Content', 'SAM Account Name', 'Display Name', 'Old UAC Value'],
  ...['User Principal Name', 'New UAC Value', 'User Account Control', 'Old Account Name'],
  ...['New Account Name', 'Target Server Name', 'Category', 'Subcategory', 'Subcategory GUID'],
  ...[
    'Source Name',
    'Privileges Used for Access Check',
    'Restricted SID Count',
    'Event Source ID',
    'Changes',
    'Application Name',
    'Direction',
    'Protocol',
    'Layer Name',
    'Old Value',
    'New Value',
  ],
  // Sysmon's.
  ...['RuleName', 'UtcTime', 'ProcessGuid', 'ProcessId', 'Image', 'FileVersion', 'Description'],
  ...['Product', 'Company', 'OriginalFileName', 'CommandLine', 'CurrentDirectory', 'User'],
  ...['LogonGuid', 'LogonId', 'TerminalSessionId', 'IntegrityLevel', 'Hashes', 'ParentProcessGuid'],
  ...['ParentProcessId', 'ParentImage', 'ParentCommandLine', 'ParentUser', 'TargetFilename'],
  ...['CreationUtcTime', 'PreviousCreationUtcTime', 'Initiated', 'SourceIsIpv6', 'SourceIp'],
  ...['SourceHostname', 'SourcePort', 'SourcePortName', 'DestinationIsIpv6', 'DestinationIp'],
  ...['DestinationHostname', 'DestinationPort', 'DestinationPortName', 'ImageLoaded', 'Signed'],
  ...['Signature', 'SignatureStatus', 'SourceProcessGuid', 'SourceProcessGUID', 'SourceProcessId'],
  ...['SourceThreadId', 'SourceImage', 'TargetProcessGuid', 'TargetProcessGUID', 'TargetProcessId'],
  ...['TargetImage', 'NewThreadId', 'StartAddress', 'StartModule', 'StartFunction', 'SourceUser'],
  ...[
    'TargetUser',
    'GrantedAccess',
    'CallTrace',
    'EventType',
    'TargetObject',
    'Details',
    'NewName',
  ],
  ...['Hash', 'Contents', 'PipeName', 'Operation', 'EventNamespace', 'Name', 'Query', 'Type'],
  ...['Destination', 'Consumer', 'Filter', 'QueryName', 'QueryStatus', 'QueryResults', 'Device'],
  ...['IsExecutable', 'Archived'],
]

const EXPLAINED =
  'This event is generated|The subject fields indicate|Token Elevation Type indicates'
const BREAK = new RegExp(
  `[ \\t]{1,8}(?:(${HEADINGS.join('|')}) ?:(?=[ \\t])|(${LABELS.join('|')}):(?=[ \\t]|$)|(?=${EXPLAINED}))`,
  'g',
)

/** A text with its lines, where a sender of single lines has left out the breaks. */
export const withBreaks = (message: string) =>
  message.includes('\n')
    ? message
    : message.replace(BREAK, (_, heading?: string, label?: string) => {
        if (label !== undefined) return `\n\t${label}:`
        return heading === undefined ? '\n' : `\n${heading}:`
      })
