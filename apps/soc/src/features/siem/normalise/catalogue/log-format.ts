import type { FieldValue } from '@manara/log-query/event'
import type { ParseObject, ParseText } from '../parsed.ts'

/** What kind of thing writes it: the folder it lies in, and its section in `docs/log-formats.md`. */
export const GROUPS = {
  generic: 'Formats of many senders',
  linux: 'Linux',
  windows: 'Windows',
  endpoint: 'Endpoint protection',
  network: 'Network sensors',
  firewall: 'Firewalls, routers and switches',
  proxy: 'Proxies and load balancers',
  web: 'Web servers',
  dns: 'DNS and DHCP',
  vpn: 'VPN',
  mail: 'Mail',
  database: 'Databases',
  container: 'Containers',
  virtual: 'Virtual machines',
  cloud: 'Cloud services',
} as const

/** `event.category` of the Elastic Common Schema. */
type EcsCategory =
  | 'api'
  | 'authentication'
  | 'configuration'
  | 'database'
  | 'email'
  | 'file'
  | 'host'
  | 'iam'
  | 'intrusion_detection'
  | 'malware'
  | 'network'
  | 'package'
  | 'process'
  | 'session'
  | 'threat'
  | 'web'

/** Classes of the Open Cybersecurity Schema Framework that our formats are of. */
export const OCSF_CLASSES = {
  base_event: 0,
  file_activity: 1001,
  process_activity: 1007,
  security_finding: 2001,
  detection_finding: 2004,
  account_change: 3001,
  authentication: 3002,
  authorize_session: 3003,
  entity_management: 3004,
  user_access_management: 3005,
  group_management: 3006,
  network_activity: 4001,
  http_activity: 4002,
  dns_activity: 4003,
  dhcp_activity: 4004,
  email_activity: 4009,
  tunnel_activity: 4014,
  device_config_state_change: 5019,
  web_resources_activity: 6001,
  application_lifecycle: 6002,
  api_activity: 6003,
  datastore_activity: 6005,
} as const

/** An event in the documented shape, made by us, and what must become of it. */
export type Sample = {
  /** A line as a file or syslog has it, or an object as an HTTP sender has it. */
  event: string | object
  /** Who wrote the line, where it has no header that says so. */
  program?: string
  expect: {
    /** As an ISO 8601 text; without a zone where the event says neither zone nor year. */
    at?: string
    source?: string
    host?: string | null
    severity?: string
    message?: string
    user?: string | null
    process?: string | null
    event_code?: string | null
    src_ip?: string | null
    dst_ip?: string | null
    fields?: Record<string, FieldValue>
  }
}

type About = {
  /** It needs what lines before said, which a single stored event cannot tell again. */
  remembers?: boolean

  /** What an event read by it says in its field `_parser`. Never changed: people search for it. */
  id: string
  title: string
  group: keyof typeof GROUPS
  ecs: EcsCategory
  /** The activity, or which one it is by `event.action`. */
  ocsf: { class: keyof typeof OCSF_CLASSES; activity: string | Record<string, string> }
  /** What it says goes before the header around it: its own time, severity, user and program. */
  overrules?: true
  samples: Sample[]
}

export type TextFormat = About & {
  kind: 'text'
  /**
   * What must be there before `read` is asked at all; any one of these does. Only a format that is
   * tried when nothing else fits has none.
   */
  when: {
    /** The program in the syslog header, in small letters. */
    programs?: string[]
    /** How the text after the header begins. */
    starts?: string[]
    /** What stands somewhere in it: three characters or more that are rare elsewhere. */
    marks?: string[]
    /**
     * Where it begins, of a format that is read wherever its mark stands: before that may be a header
     * and nothing else, or else somebody typed the mark.
     */
    begins?: RegExp
    /** How long a text may be that begins so, of a format that writes longer ones than lines are. */
    longest?: number
  }
  read: ParseText
}

export type ObjectFormat = About & {
  kind: 'object'
  /** Names, nested ones as paths; all of a list must be there, and one list does. */
  when: { names: string[][] }
  read: ParseObject
}

export type LogFormat = TextFormat | ObjectFormat
