/**
 * Names by which people know a field from elsewhere (ECS, OCSF, winlogbeat), and where such a value
 * stands here: a column, or a field under the name its sender uses. In small letters.
 */
const ALIASES: Record<string, readonly string[]> = {
  'source.ip': ['src_ip'],
  'source.address': ['src_ip'],
  'client.ip': ['src_ip'],
  'src_endpoint.ip': ['src_ip'],
  'destination.ip': ['dst_ip'],
  'destination.address': ['dst_ip'],
  'server.ip': ['dst_ip'],
  'dst_endpoint.ip': ['dst_ip'],
  'host.name': ['host'],
  'host.hostname': ['host'],
  'device.hostname': ['host'],
  'winlog.computer_name': ['host', 'Computer'],
  'user.name': ['user'],
  'actor.user.name': ['user'],
  'event.code': ['event_code'],
  'winlog.event_id': ['event_code', 'EventID'],
  'metadata.event_code': ['event_code'],
  'event.severity': ['severity'],
  'log.level': ['severity'],
  'event.dataset': ['source'],
  'event.module': ['source'],
  'process.name': ['process'],
  'actor.process.name': ['process'],
  'process.executable': ['Image', 'NewProcessName', 'ProcessName'],
  'process.file.path': ['Image', 'NewProcessName'],
  'process.command_line': ['CommandLine', 'ProcessCommandLine'],
  'process.cmd_line': ['CommandLine', 'ProcessCommandLine'],
  'process.pid': ['ProcessId', 'NewProcessId'],
  'process.parent.executable': ['ParentImage', 'ParentProcessName'],
  'process.parent.name': ['ParentImage', 'ParentProcessName'],
  'process.parent.command_line': ['ParentCommandLine'],
  'process.parent_process.cmd_line': ['ParentCommandLine'],
  'process.parent.pid': ['ParentProcessId'],
  'file.path': ['TargetFilename', 'ObjectName'],
  'registry.path': ['TargetObject', 'ObjectName'],
  'dns.question.name': ['QueryName', 'query'],
  'query.hostname': ['QueryName', 'query'],
  'source.port': ['SourcePort', 'IpPort'],
  'destination.port': ['DestinationPort', 'DestPort'],
  'url.path': ['cs-uri-stem', 'path', 'request', 'uri'],
  'url.original': ['c-uri', 'cs-uri', 'request', 'uri'],
  'url.domain': ['cs-host', 'r-dns'],
  'http.request.method': ['cs-method', 'method', 'verb'],
  'http.response.status_code': ['sc-status', 'status', 'response'],
  'user_agent.original': ['cs-user-agent', 'agent', 'user_agent', 'http_user_agent'],
  'winlog.channel': ['Channel'],
  'winlog.provider_name': ['Provider_Name', 'SourceName'],
}

/** Names come from whoever asks, and an object has some of its own. */
export const FIELD_ALIASES: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries(ALIASES),
)

/** What winlogbeat puts before the names that Windows gives its fields. */
export const EVENT_DATA = /^winlog\.(?:event_data|user_data)\./i
