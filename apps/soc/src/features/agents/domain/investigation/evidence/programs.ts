const set = (names: string) => new Set(names.split(' '))

/**
 * They start everything and explain nothing: nothing is followed through them, or every story would
 * reach every process of the host.
 */
const HUBS = set(
  'system registry smss.exe csrss.exe wininit.exe winlogon.exe services.exe svchost.exe lsass.exe ' +
    'explorer.exe userinit.exe sihost.exe taskhostw.exe taskhost.exe runtimebroker.exe dllhost.exe ' +
    'wmiprvse.exe searchindexer.exe conhost.exe msmpeng.exe nissrv.exe mssense.exe ' +
    'sensecncproxy.exe senseir.exe trustedinstaller.exe tiworker.exe windowsazureguestagent.exe ' +
    'waappagent.exe networkwatcheragent.exe monitoringhost.exe healthservice.exe ' +
    'officeclicktorun.exe ec2config.exe amazon-ssm-agent.exe ssm-agent-worker.exe sysmon.exe ' +
    'sysmon64.exe nxlog.exe winlogbeat.exe filebeat.exe splunkd.exe wazuh-agent.exe osqueryd.exe ' +
    'ossec-agent.exe elastic-agent.exe fontdrvhost.exe dwm.exe ctfmon.exe spoolsv.exe sppsvc.exe ' +
    'backgroundtaskhost.exe logonui.exe',
)
export const isHub = (name: string) => HUBS.has(name)

/** Whoever asks for something through these is named, not these. */
const SHELLS = set('cmd.exe powershell.exe pwsh.exe conhost.exe bash.exe sh bash')
export const isShell = (name: string) => SHELLS.has(name)

const INTERPRETERS = set(
  'cmd.exe powershell.exe pwsh.exe bash.exe wscript.exe cscript.exe mshta.exe rundll32.exe',
)
export const isInterpreter = (name: string) => INTERPRETERS.has(name)

/** They carry out what comes over the network. */
const TAKES_ORDERS = set(
  'wmiprvse.exe wsmprovhost.exe services.exe psexesvc.exe scrcons.exe mmc.exe dllhost.exe ' +
    'wmi-subscription winrshost.exe',
)
export const takesOrders = (name: string) => TAKES_ORDERS.has(name)

const OFFICE = set('excel.exe winword.exe powerpnt.exe outlook.exe visio.exe msaccess.exe')
export const isOffice = (name: string) => OFFICE.has(name)

/** Signed programs that run what others wrote. */
const PROXIES: Record<string, string> = {
  'mshta.exe': 'T1218.005',
  'cmstp.exe': 'T1218.003',
  'hh.exe': 'T1218.001',
  'regsvr32.exe': 'T1218.010',
  'rundll32.exe': 'T1218.011',
  'installutil.exe': 'T1218.004',
  'regasm.exe': 'T1218.009',
  'regsvcs.exe': 'T1218.009',
  'odbcconf.exe': 'T1218.008',
  'msiexec.exe': 'T1218.007',
  'control.exe': 'T1218.002',
  'verclsid.exe': 'T1218.012',
  'mavinject.exe': 'T1218.013',
  'mavinject32.exe': 'T1218.013',
  'mavinject64.exe': 'T1218.013',
  'msbuild.exe': 'T1127.001',
  'dnx.exe': 'T1127',
  'rcsi.exe': 'T1127',
  'csi.exe': 'T1127',
  'forfiles.exe': 'T1202',
  'pcalua.exe': 'T1202',
  'wmic.exe': 'T1220',
  'pubprn.vbs': 'T1216.001',
}
export const proxyTechnique = (name: string): string | undefined =>
  Object.hasOwn(PROXIES, name) ? PROXIES[name] : undefined

/** Places where people without rights can put a program. */
const WRITABLE = ['\\users\\', '\\programdata\\', '\\temp\\', '\\perflogs\\', '\\$recycle.bin\\']
export function isUserWritable(path: string): boolean {
  const folded = path.toLowerCase()
  return WRITABLE.some((place) => folded.includes(place))
}

const PROGRAM_ENDS = set('exe dll ps1 bat cmd hta sct scr vbs vbe js jse wsf sys msi lnk')
export function isProgramFile(path: string): boolean {
  const dot = path.lastIndexOf('.')
  return dot >= 0 && PROGRAM_ENDS.has(path.slice(dot + 1).toLowerCase())
}
