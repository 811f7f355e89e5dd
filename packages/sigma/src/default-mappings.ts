import type { Query } from '@manara/log-query/ast'
import { allOf, anyOf } from '@manara/log-query/normalise'
import { CLOUD_LOGSOURCES } from './cloud-logsources.ts'
import type { FieldNames, Mapping } from './mappings.ts'
import { exists, field, isOneOf, not } from './queries.ts'
import { NOT_WINDOWS, named } from './told-by.ts'
import { UNIX_LOGSOURCES } from './unix-logsources.ts'
import { WINDOWS_LOGSOURCES } from './windows-logsources.ts'

/** Where a Zeek event says which log it is from, it has to be this one. */
const zeekLog = (path: string) =>
  allOf([NOT_WINDOWS, anyOf([unnamedZeekLog(path), isOneOf('_path', [path])])])

/**
 * Zeek itself writes no `_path`. Rules for RDP say only which addresses are fine, one for DNS only
 * what a flag is not: without what is Zeek's, and of RDP what that log alone has, any connection,
 * query or page with a cookie would match.
 */
const RDP_ALONE = ['cert_count', 'security_protocol', 'client_build', 'cookie'].map(exists)
const ZEEK_MARKS: Record<string, Query[]> = {
  dns: [exists('id.orig_h')],
  rdp: [exists('id.orig_h'), anyOf(RDP_ALONE)],
}
const unnamedZeekLog = (path: string) => allOf([not(exists('_path')), ...(ZEEK_MARKS[path] ?? [])])

/** Rules for web servers mean by the query all of the address; access logs have it as `c-uri`. */
const WHOLE_ADDRESS = ['c-uri', 'cs-uri', 'url.original']
const AGENT = ['cs-user-agent', 'c-useragent', 'user_agent.original']
const WEB_FIELDS: FieldNames = {
  'cs-uri-query': ['cs-uri-query', ...WHOLE_ADDRESS],
  'c-uri': WHOLE_ADDRESS,
  'cs-uri': WHOLE_ADDRESS,
  'cs-uri-stem': ['cs-uri-stem', 'url.path'],
  'c-uri-query': ['c-uri-query', 'cs-uri-query', 'url.query'],
  'cs-user-agent': AGENT,
  'c-useragent': AGENT,
  'cs-method': ['cs-method', 'http.request.method'],
  'cs-host': ['cs-host', 'url.domain'],
  'cs-referer': ['cs-referer', 'http.request.referrer'],
  'cs-username': ['cs-username', 'user'],
  'sc-status': ['sc-status', 'http.response.status_code'],
}

const DNS_FIELDS: FieldNames = {
  query: ['query', 'dns.question.name', 'dns.rrname', 'dns.queries.rrname', 'query_name'],
  record_type: [
    'record_type',
    'dns.question.type',
    'dns.rrtype',
    'dns.queries.rrtype',
    'qtype_name',
    'query_type',
  ],
  answer: ['answer', 'answers', 'dns.answers.data', 'dns.rdata'],
}

/** A column and the original field of the same name both say it. */
const COLUMN_FIELDS: FieldNames = {
  message: ['message', 'fields.message'],
  src_ip: ['src_ip', 'fields.src_ip'],
  dst_ip: ['dst_ip', 'fields.dst_ip'],
  user: ['user', 'fields.user'],
}

/** What every parser of a firewall calls them, and the names that senders have. */
const FIREWALL_FIELDS: FieldNames = {
  ...COLUMN_FIELDS,
  dst_port: ['dst_port', 'destination.port', 'dest_port', 'dstport'],
  src_port: ['src_port', 'source.port', 'srcport'],
  action: ['action', 'event.action'],
}

const ZEEK: Mapping[] = [
  'conn',
  'dce_rpc',
  'dns',
  'http',
  'kerberos',
  'ntlm',
  'rdp',
  'smb_files',
  'smb_mapping',
  'ssl',
  'x509',
].map((service) => ({
  product: 'zeek',
  service,
  condition: zeekLog(service),
  fields: {
    'c-uri': ['uri', 'c-uri'],
    'c-useragent': ['user_agent', 'c-useragent'],
    'id.orig_h': ['id.orig_h', 'src_ip'],
    'id.resp_h': ['id.resp_h', 'dst_ip'],
  },
}))

/** Its rules are single words such as `copy`: only lines that look like Cisco's are meant. */
const MNEMONIC = { kind: 'regex', source: '%[A-Z0-9_]+-[0-7]-[A-Z0-9_]+', flags: {} } as const
const HAS_MNEMONIC = field('message', MNEMONIC)
const IS_CISCO = anyOf([
  field('source', { kind: 'pattern', parts: [{ any: 'run' }, 'cisco', { any: 'run' }] }),
  HAS_MNEMONIC,
])

/** Rules about what is typed leave out messages of the device about anything else: `aaa` stands in every logon. */
const TELLS_COMMAND = 'CmdSet|CmdAV|cmd=|command|executed|accounting'

const CISCO: Mapping[] = [
  {
    product: 'cisco',
    service: 'aaa',
    condition: allOf([
      IS_CISCO,
      anyOf([
        not(HAS_MNEMONIC),
        exists('CmdSet'),
        field('message', { kind: 'regex', source: TELLS_COMMAND, flags: { i: true } }),
      ]),
    ]),
    note: 'looks at events of Cisco (by their source or mnemonic); those with a mnemonic have to tell of a command: with CmdSet, cmd=, command, executed or accounting',
  },
  {
    product: 'cisco',
    condition: IS_CISCO,
    note: 'looks at events whose source has cisco in its name, or whose message has a Cisco mnemonic',
  },
]

/** By its name, or by what only the log of a proxy has. */
const IS_PROXY = anyOf([
  named(
    'proxy|squid|zscaler|blue ?coat|websense|forcepoint|netskope|umbrella|ironport|mwg|web ?gateway|iboss|sophos.?utm',
  ),
  ...['s-action', 'cs-categories', 'sc-filter-result', 'x-cache', 'cs-category'].map(exists),
])

const IS_FIREWALL = named(
  'firewall|forti|palo ?alto|pan-?os|check ?point|cisco.?asa|iptables|nftables|^ufw|pf ?sense|opnsense|sonicwall|netscreen|sophos|juniper|junos|mikrotik|routeros|unifi|ubiquiti',
)

/**
 * By its name, or by a field that the line of a request has. Many rules for web servers are words
 * such as `drop` or `union select`, so that what has neither is not looked at.
 */
const isWebserver = (namesOf: (field: string) => string[]) =>
  allOf([
    NOT_WINDOWS,
    not(IS_PROXY),
    not(IS_FIREWALL),
    anyOf([
      named(
        'apache|httpd|nginx|w3svc|^iis|lighttpd|caddy|tomcat|jetty|openresty|web.?server|access.?log|^access$|^web',
      ),
      ...[...new Set(Object.keys(WEB_FIELDS).flatMap((name) => [name, ...namesOf(name)]))]
        .filter((name) => name !== 'user')
        .map(exists),
    ]),
  ])

/** Their rules are words such as DROP or Exception, which firewalls and everybody else write too. */
const DATABASE: Mapping = {
  category: 'database',
  condition: allOf([
    NOT_WINDOWS,
    anyOf([
      named('sql|postgres|maria|oracle|mongo|database|^db|[._-]db|cassandra|redis|clickhouse'),
      ...['db.statement', 'db.query.text', 'db.system', 'db_name'].map(exists),
    ]),
  ]),
  note: 'looks at events whose source or process is named like a database, or that have db.statement',
}
const APPLICATIONS: [product: string, pattern: string][] = [
  ['django', 'django|python|wsgi|uvicorn'],
  ['python', 'python|django|flask|wsgi|uvicorn'],
  ['ruby_on_rails', 'rails|ruby|puma|unicorn'],
  ['spring', 'spring|java|tomcat'],
  ['jvm', 'java|jvm|tomcat|spring|jboss|wildfly'],
  ['velocity', 'velocity|java|tomcat'],
  ['nodejs', 'node'],
  ['sql', 'sql|postgres|maria|oracle|database'],
]
const APPLICATION: Mapping[] = APPLICATIONS.map(([product, pattern]) => ({
  product,
  category: 'application',
  condition: allOf([NOT_WINDOWS, named(`${pattern}|app`)]),
  note: `looks at events whose source or process is named like ${product} or like an application`,
}))

const KUBERNETES: Mapping = {
  product: 'kubernetes',
  category: 'application',
  condition: allOf([
    NOT_WINDOWS,
    anyOf([named('kube|k8s'), exists('objectRef.resource'), exists('auditID')]),
  ]),
  note: 'looks at events whose source or process is named like Kubernetes, or that have objectRef.resource',
}
const OPENCANARY: Mapping = {
  product: 'opencanary',
  category: 'application',
  condition: allOf([NOT_WINDOWS, anyOf([named('canary'), exists('logtype')])]),
  note: 'looks at events whose source or process is named like a canary, or that have logtype',
}

/** Of a product that is not in the table: by its name, as any other word would be of everybody's. */
const OTHER_APPLICATION: Mapping = {
  category: 'application',
  condition: (_, { product }) =>
    allOf([NOT_WINDOWS, named(product === undefined ? 'app' : `${anySpelling(product)}|app`)]),
  note: 'looks at events whose source or process is named like its product or like an application',
}

/** `my_shop` is also `my-shop` and `MyShop`. */
const anySpelling = (product: string) =>
  product.replaceAll(/[^\p{L}\p{N}]+/gu, '_').replaceAll('_', '[._ -]?')

const WITHOUT_PRODUCT: Mapping[] = [
  {
    category: 'proxy',
    condition: allOf([NOT_WINDOWS, IS_PROXY]),
    fields: WEB_FIELDS,
    note: 'looks at events whose source or process is named like a proxy, or that have cs-categories, s-action or sc-filter-result',
  },
  ...[{ category: 'webserver' }, { service: 'apache' }, { service: 'nginx' }].map((logsource) => ({
    ...logsource,
    condition: isWebserver,
    fields: WEB_FIELDS,
    note: 'looks at events whose source or process is named like a web server, or that have a field of a request (cs-method, c-uri, url.original …); not at proxies and firewalls',
  })),
  DATABASE,
  ...APPLICATION,
  KUBERNETES,
  OPENCANARY,
  { category: 'dns', condition: NOT_WINDOWS, fields: DNS_FIELDS },
  { category: 'firewall', condition: NOT_WINDOWS, fields: FIREWALL_FIELDS },
  // Both write to the Windows event log too.
  { category: 'antivirus', condition: { kind: 'all' } },
  { product: 'rpc_firewall', condition: { kind: 'all' } },
  OTHER_APPLICATION,
]

/** Where rules written in this service's own query language go when they are exported. */
export const OWN_PRODUCT = 'manara'
const OURS: Mapping = {
  product: OWN_PRODUCT,
  condition: { kind: 'all' },
  isOurs: true,
}

export const DEFAULT_MAPPINGS: Mapping[] = [
  OURS,
  ...WINDOWS_LOGSOURCES,
  ...UNIX_LOGSOURCES,
  ...ZEEK,
  ...CLOUD_LOGSOURCES,
  ...CISCO,
  ...WITHOUT_PRODUCT,
  { condition: NOT_WINDOWS, fields: COLUMN_FIELDS },
]
