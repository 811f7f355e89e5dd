import type { Sample } from '../log-format.ts'

export const CISCO_ASA_SAMPLES: Sample[] = [
  {
    event:
      '<164>Mar  3 2026 10:00:00 edge1 : %ASA-4-106023: Deny tcp src outside:192.0.2.7/41000 dst inside:198.51.100.2/22 by access-group "outside_in" [0x1a2b3c4d, 0x0]',
    expect: {
      at: '2026-03-03T10:00:00.000Z',
      source: 'cisco_asa',
      host: 'edge1',
      severity: 'medium',
      process: null,
      event_code: '106023',
      src_ip: '192.0.2.7',
      dst_ip: '198.51.100.2',
      fields: {
        'source.port': 41000,
        'destination.port': 22,
        'network.transport': 'tcp',
        'event.action': 'deny',
        'event.outcome': 'failure',
        'rule.name': 'outside_in',
        'observer.ingress.interface.name': 'outside',
      },
    },
  },
  {
    event:
      'Mar  3 10:00:00 edge1: %FTD-6-302013: Built outbound TCP connection 5511 for outside:203.0.113.80/443 (203.0.113.80/443) to inside:192.0.2.21/50123 (198.51.100.9/50123)(LOCAL\\mona)',
    expect: {
      host: 'edge1',
      severity: 'info',
      event_code: '302013',
      user: 'mona',
      src_ip: '192.0.2.21',
      dst_ip: '203.0.113.80',
      fields: {
        'source.port': 50123,
        'source.nat.ip': '198.51.100.9',
        'destination.port': 443,
        'event.action': 'built',
        'event.outcome': 'success',
      },
    },
  },
  {
    event:
      'Mar 03 2026 10:00:00: %ASA-6-106100: access-list acl_in denied udp inside/192.0.2.21(1039) -> outside/198.51.100.53(53) hit-cnt 1 first hit [0xd820e56a, 0x0]',
    expect: {
      at: '2026-03-03T10:00:00.000Z',
      src_ip: '192.0.2.21',
      dst_ip: '198.51.100.53',
      fields: {
        'source.port': 1039,
        'destination.port': 53,
        'rule.name': 'acl_in',
        'event.outcome': 'failure',
        'network.transport': 'udp',
      },
    },
  },
  {
    event:
      '<166>2026-03-03T10:00:00Z edge1 %ASA-6-302020: Built inbound ICMP connection for faddr 203.0.113.5/0 gaddr 198.51.100.2/0 laddr 192.0.2.21/0 type 8 code 0',
    expect: {
      host: 'edge1',
      src_ip: '203.0.113.5',
      dst_ip: '192.0.2.21',
      fields: { 'network.transport': 'icmp', 'destination.nat.ip': '198.51.100.2' },
    },
  },
  {
    event:
      '%ASA-6-302014: Teardown TCP connection 5511 for outside:203.0.113.80/443(LOCAL\\Mona Lisa) to inside:192.0.2.21/50123 duration 0:00:30 bytes 1480 TCP FINs from outside (Mona Lisa)',
    expect: {
      user: 'Mona Lisa',
      src_ip: '203.0.113.80',
      dst_ip: '192.0.2.21',
      fields: { 'network.bytes': 1480, 'event.action': 'teardown' },
    },
  },
  {
    event:
      '<166>Mar 03 2026 10:00:00 edge1 : %ASA-6-113005: AAA user authentication Rejected : reason = Invalid password : server = 192.0.2.10 : user = eve : user IP = 203.0.113.20',
    expect: {
      user: 'eve',
      src_ip: '203.0.113.20',
      dst_ip: '192.0.2.10',
      fields: { 'event.outcome': 'failure', 'event.reason': 'Invalid password' },
    },
  },
  {
    event:
      '%ASA-4-722051: Group <Staff> User <mona> IP <203.0.113.20> IPv4 Address <192.0.2.99> IPv6 address <::> assigned to session',
    expect: { user: 'mona', src_ip: '203.0.113.20', fields: { 'user.group.name': 'Staff' } },
  },
  {
    event: '%ASA-5-304001: 192.0.2.21 Accessed URL 203.0.113.80:http://files.example.net/a.exe',
    expect: {
      src_ip: '192.0.2.21',
      dst_ip: '203.0.113.80',
      fields: { 'url.original': 'http://files.example.net/a.exe' },
    },
  },
  {
    event:
      "Mar  3 10:00:00 edge1: %ASA-5-111010: User 'admin', running 'CLI' from IP 192.0.2.5, executed 'write erase'",
    expect: {
      user: 'admin',
      src_ip: '192.0.2.5',
      fields: { 'process.command_line': 'write erase' },
    },
  },
  {
    event:
      '%ASA-6-605005: Login permitted from 192.0.2.5/6651 to mgmt:192.0.2.1/ssh for user "admin"',
    expect: { user: 'admin', src_ip: '192.0.2.5', fields: { 'event.outcome': 'success' } },
  },
  {
    event:
      '<113>2026-03-03T10:00:00Z ftd1 : %FTD-1-430003: EventPriority: Low, DeviceUUID: 0a1b2c3d, AccessControlRuleAction: Block, SrcIP: 192.0.2.21, DstIP: 203.0.113.80, SrcPort: 50124, DstPort: 443, Protocol: tcp, AccessControlRuleName: no-social, User: mona, URL: https://social.example.net/',
    expect: {
      host: 'ftd1',
      event_code: '430003',
      user: 'mona',
      src_ip: '192.0.2.21',
      dst_ip: '203.0.113.80',
      fields: {
        'source.port': 50124,
        'destination.port': 443,
        'event.action': 'Block',
        'event.outcome': 'failure',
        'rule.name': 'no-social',
        'url.original': 'https://social.example.net/',
      },
    },
  },
]
