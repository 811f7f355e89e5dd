import type { Sample } from '../log-format.ts'

export const CISCO_IOS_SAMPLES: Sample[] = [
  {
    event:
      '<190>Mar  3 10:00:01 192.0.2.1 585917: Mar  3 10:00:00.272: %SEC-6-IPACCESSLOGP: list 177 denied udp 192.0.2.7(55250) -> 198.51.100.255(15600), 3 packets',
    expect: {
      at: '2026-03-03T10:00:00.272',
      source: 'cisco_ios',
      host: '192.0.2.1',
      severity: 'info',
      process: null,
      event_code: 'IPACCESSLOGP',
      src_ip: '192.0.2.7',
      dst_ip: '198.51.100.255',
      fields: {
        'source.port': 55250,
        'destination.port': 15600,
        'rule.name': '177',
        'event.action': 'denied',
        'event.outcome': 'failure',
        'network.transport': 'udp',
        'network.packets': 3,
      },
    },
  },
  {
    event:
      '<189>2360957: sw1: Mar  3 2026 11:00:00.861 CET: %SYS-5-CONFIG_I: Configured from console by mona on vty0 (192.0.2.5)',
    expect: {
      at: '2026-03-03T10:00:00.861Z',
      host: 'sw1',
      severity: 'low',
      user: 'mona',
      event_code: 'CONFIG_I',
      src_ip: '192.0.2.5',
      fields: { 'cisco.facility': 'SYS' },
    },
  },
  {
    event:
      'Mar  3 10:00:00.424 UTC: %SEC_LOGIN-4-LOGIN_FAILED: Login failed [user: eve] [Source: 203.0.113.9] [localport: 22] [Reason: Login Authentication Failed] at 10:00:00 UTC Tue Mar 3 2026',
    expect: {
      severity: 'medium',
      user: 'eve',
      src_ip: '203.0.113.9',
      event_code: 'LOGIN_FAILED',
      fields: { 'event.outcome': 'failure', 'destination.port': 22 },
    },
  },
  {
    event:
      '%LINEPROTO-5-UPDOWN: Line protocol on Interface GigabitEthernet1/0/1, changed state to down',
    expect: {
      event_code: 'UPDOWN',
      src_ip: null,
      fields: { 'observer.ingress.interface.name': 'GigabitEthernet1/0/1' },
    },
  },
  {
    event:
      '<190>Mar 3 10:00:01 xr1 RP/0/RP0/CPU0:Mar 3 10:00:00.630 UTC: ipv4_acl_mgr[310]: %ACL-IPV4_ACL-6-IPACCESSLOGP : access-list out deny tcp 192.0.2.7(39527) -> 198.51.100.2(1830), 1 packet',
    expect: {
      host: 'xr1',
      process: 'ipv4_acl_mgr',
      src_ip: '192.0.2.7',
      dst_ip: '198.51.100.2',
      fields: { 'destination.port': 1830, 'event.outcome': 'failure', 'rule.name': 'out' },
    },
  },
  {
    event:
      '<190>33: 34: Mar  3 2026 10:00:00.412 UTC: %IOSXE-6-PLATFORM: R0/0: cpp_cp: QFP:0.0 Thread:001 TS:00013807835737559120 %FW-6-DROP_PKT: Dropping tcp pkt from GigabitEthernet1/0/2 192.0.2.44:53836 => 203.0.113.80:80(target:class)-(inside:class-default) due to Policy drop:classify result',
    expect: {
      event_code: 'DROP_PKT',
      src_ip: '192.0.2.44',
      dst_ip: '203.0.113.80',
      fields: { 'source.port': 53836, 'destination.port': 80, 'event.outcome': 'failure' },
    },
  },
]
