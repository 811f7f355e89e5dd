import { allOf, anyOf } from '@manara/log-query/normalise'
import type { FieldNames, Mapping } from './mappings.ts'
import { exists, isOneOf } from './queries.ts'

const SYSMON = 'Microsoft-Windows-Sysmon/Operational'
const POWERSHELL = ['Microsoft-Windows-PowerShell/Operational', 'PowerShellCore/Operational']
const POWERSHELL_CLASSIC = 'Windows PowerShell'

const SYSMON_CATEGORIES: Record<string, number[]> = {
  process_creation: [1],
  file_change: [2],
  network_connection: [3],
  sysmon_status: [4, 16],
  process_termination: [5],
  driver_load: [6],
  image_load: [7],
  create_remote_thread: [8],
  raw_access_thread: [9],
  process_access: [10],
  file_event: [11],
  registry_add: [12],
  registry_delete: [12],
  registry_set: [13],
  registry_rename: [14],
  registry_event: [12, 13, 14],
  create_stream_hash: [15],
  pipe_created: [17, 18],
  wmi_event: [19, 20, 21],
  dns_query: [22],
  file_delete: [23, 26],
  clipboard_capture: [24],
  process_tampering: [25],
  file_delete_detected: [26],
  file_block_executable: [27],
  file_block_shredding: [28],
  file_executable_detected: [29],
  sysmon_error: [255],
}

const POWERSHELL_CATEGORIES: Record<string, [channels: string[], eventId: number]> = {
  ps_module: [POWERSHELL, 4103],
  ps_script: [POWERSHELL, 4104],
  ps_classic_start: [[POWERSHELL_CLASSIC], 400],
  ps_classic_provider_start: [[POWERSHELL_CLASSIC], 600],
  ps_classic_script: [[POWERSHELL_CLASSIC], 800],
}

const CHANNELS: Record<string, string[]> = {
  application: ['Application'],
  'application-experience': [
    'Microsoft-Windows-Application-Experience/Program-Telemetry',
    'Microsoft-Windows-Application-Experience/Program-Compatibility-Assistant',
  ],
  applocker: [
    'Microsoft-Windows-AppLocker/EXE and DLL',
    'Microsoft-Windows-AppLocker/MSI and Script',
    'Microsoft-Windows-AppLocker/Packaged app-Deployment',
    'Microsoft-Windows-AppLocker/Packaged app-Execution',
  ],
  'appmodel-runtime': ['Microsoft-Windows-AppModel-Runtime/Admin'],
  'appxdeployment-server': ['Microsoft-Windows-AppXDeploymentServer/Operational'],
  'appxpackaging-om': ['Microsoft-Windows-AppxPackaging/Operational'],
  bitlocker: ['Microsoft-Windows-BitLocker/BitLocker Management'],
  'bits-client': ['Microsoft-Windows-Bits-Client/Operational'],
  capi2: ['Microsoft-Windows-CAPI2/Operational'],
  'certificateservicesclient-lifecycle-system': [
    'Microsoft-Windows-CertificateServicesClient-Lifecycle-System/Operational',
  ],
  'codeintegrity-operational': ['Microsoft-Windows-CodeIntegrity/Operational'],
  dhcp: ['Microsoft-Windows-DHCP-Server/Operational'],
  'diagnosis-scripted': ['Microsoft-Windows-Diagnosis-Scripted/Operational'],
  'dns-client': ['Microsoft-Windows-DNS Client Events/Operational'],
  'dns-server': ['DNS Server'],
  'dns-server-analytic': ['Microsoft-Windows-DNS-Server/Analytical'],
  'driver-framework': ['Microsoft-Windows-DriverFrameworks-UserMode/Operational'],
  'firewall-as': ['Microsoft-Windows-Windows Firewall With Advanced Security/Firewall'],
  'hyper-v-worker': ['Microsoft-Windows-Hyper-V-Worker'],
  'iis-configuration': ['Microsoft-IIS-Configuration/Operational'],
  'kernel-event-tracing': ['Microsoft-Windows-Kernel-EventTracing'],
  'kernel-shimengine': [
    'Microsoft-Windows-Kernel-ShimEngine/Operational',
    'Microsoft-Windows-Kernel-ShimEngine/Diagnostic',
  ],
  ldap: ['Microsoft-Windows-LDAP-Client/Debug'],
  'lsa-server': ['Microsoft-Windows-LSA/Operational'],
  'microsoft-servicebus-client': ['Microsoft-ServiceBus-Client'],
  'msexchange-management': ['MSExchange Management'],
  ntfs: ['Microsoft-Windows-Ntfs/Operational'],
  ntlm: ['Microsoft-Windows-NTLM/Operational'],
  openssh: ['OpenSSH/Operational'],
  powershell: POWERSHELL,
  'powershell-classic': [POWERSHELL_CLASSIC],
  'printservice-admin': ['Microsoft-Windows-PrintService/Admin'],
  'printservice-operational': ['Microsoft-Windows-PrintService/Operational'],
  security: ['Security'],
  'security-mitigations': [
    'Microsoft-Windows-Security-Mitigations/Kernel Mode',
    'Microsoft-Windows-Security-Mitigations/User Mode',
  ],
  sense: ['Microsoft-Windows-SENSE/Operational'],
  'shell-core': ['Microsoft-Windows-Shell-Core/Operational'],
  'smbclient-connectivity': ['Microsoft-Windows-SmbClient/Connectivity'],
  'smbclient-security': ['Microsoft-Windows-SmbClient/Security'],
  'smbserver-connectivity': ['Microsoft-Windows-SMBServer/Connectivity'],
  sysmon: [SYSMON],
  system: ['System'],
  taskscheduler: ['Microsoft-Windows-TaskScheduler/Operational'],
  'terminalservices-localsessionmanager': [
    'Microsoft-Windows-TerminalServices-LocalSessionManager/Operational',
  ],
  vhdmp: ['Microsoft-Windows-VHDMP/Operational'],
  windefend: ['Microsoft-Windows-Windows Defender/Operational'],
  wmi: ['Microsoft-Windows-WMI-Activity/Operational'],
}

const PROVIDER = ['Provider_Name', 'SourceName']
/** The parser gives every event the first of them. */
const MACHINE = ['Computer', 'ComputerName', 'Hostname']

const events = (channels: string[], eventIds: number[]) =>
  allOf([isOneOf('Channel', channels), isOneOf('EventID', eventIds)])

/** Of what is no event log, as the tables of an EDR: a parser says what it is, under Sysmon's names. */
const SAID = 'sigma.category'
const WIDER: Record<string, string[]> = {
  registry_event: ['registry_add', 'registry_delete', 'registry_rename', 'registry_set'],
}

/** Falcon has a number under the same name. */
const FIELDS: Record<string, FieldNames> = {
  process_creation: {
    IntegrityLevel: ['IntegrityLevel', 'process.Ext.token.integrity_level_name'],
  },
}

const categories: Mapping[] = [
  ...Object.entries(SYSMON_CATEGORIES).map(([category, eventIds]) => ({
    category,
    fields: FIELDS[category] ?? {},
    condition: anyOf([events([SYSMON], eventIds), isOneOf(SAID, WIDER[category] ?? [category])]),
  })),
  ...Object.entries(POWERSHELL_CATEGORIES).map(([category, [channels, eventId]]) => ({
    category,
    condition: events(channels, [eventId]),
  })),
]

const services: Mapping[] = Object.entries(CHANNELS).map(([service, channels]) => ({
  service,
  condition: isOneOf('Channel', channels),
}))

/**
 * That a log was cleared stands in System, and is called a `Channel` as well. Rules for System mean
 * that one, unless they only say again where they look.
 */
const clearedLog: Mapping = {
  service: 'system',
  meant(field, values) {
    const isMeant = field === 'Channel' && values.every((value) => typeof value === 'string')
    return isMeant && values.join().toLowerCase() !== 'system' ? 'LogFileClearedChannel' : undefined
  },
}

const anyChannel: Mapping = {
  condition: (_, { category }) =>
    anyOf([exists('Channel'), ...(category ? [isOneOf(SAID, [category])] : [])]),
  fields: {
    Provider_Name: PROVIDER,
    SourceName: PROVIDER,
    ComputerName: MACHINE,
    Hostname: MACHINE,
  },
  note: 'no Windows channel is known for its logsource: events of every channel are looked at',
}

export const WINDOWS_LOGSOURCES: Mapping[] = [
  ...categories,
  ...services,
  clearedLog,
  anyChannel,
].map((mapping) => ({ ...mapping, product: 'windows' }))
