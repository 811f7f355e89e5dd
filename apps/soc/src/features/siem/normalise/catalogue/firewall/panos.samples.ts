import type { Sample } from '../log-format.ts'

export const PANOS_SAMPLES: Sample[] = [
  {
    event:
      '<14>Mar  3 10:00:02 pa1 1,2026/03/03 10:00:01,0123456789,TRAFFIC,end,2561,2026/03/03 10:00:00,192.0.2.21,203.0.113.80,198.51.100.9,203.0.113.80,out-web,corp\\mona,,ssl,vsys1,trust,untrust,ethernet1/2,ethernet1/1,to-siem,2026/03/03 10:00:00,4711,1,50123,443,31000,443,0x400053,tcp,allow,5320,1320,4000,22,2026/03/03 09:59:30,29,business,,700,0x0,192.0.2.0-192.0.2.255,Netherlands,,10,12,tcp-fin,0,0,0,0,,pa1,from-policy',
    expect: {
      at: '2026-03-03T10:00:00.000Z',
      source: 'panos',
      host: 'pa1',
      user: 'corp\\mona',
      event_code: 'traffic-end',
      src_ip: '192.0.2.21',
      dst_ip: '203.0.113.80',
      fields: {
        'source.port': 50123,
        'source.nat.ip': '198.51.100.9',
        'source.nat.port': 31000,
        'destination.port': 443,
        'network.transport': 'tcp',
        'network.application': 'ssl',
        'rule.name': 'out-web',
        'event.action': 'allow',
        'event.outcome': 'success',
        'network.bytes': 5320,
        'source.bytes': 1320,
        'event.reason': 'tcp-fin',
      },
    },
  },
  {
    event:
      '1,2026/03/03 10:00:01,0123456789,THREAT,vulnerability,2561,2026/03/03 10:00:00,203.0.113.9,192.0.2.80,0.0.0.0,0.0.0.0,in-web,,,web-browsing,vsys1,untrust,dmz,ethernet1/1,ethernet1/3,to-siem,2026/03/03 10:00:00,4712,1,41000,80,0,0,0x2000,tcp,reset-server,"a, b.php",Example Worm Request(30001),any,critical,client-to-server,701,0x0,Netherlands,192.0.2.0-192.0.2.255,,,0,,,,curl/8.0,,,,,,,,0,0,0,0,,pa1,,,,get',
    expect: {
      severity: 'critical',
      event_code: '30001',
      src_ip: '203.0.113.9',
      dst_ip: '192.0.2.80',
      fields: {
        'threat.name': 'Example Worm Request(30001)',
        'file.name': 'a, b.php',
        'event.outcome': 'failure',
        'user_agent.original': 'curl/8.0',
      },
    },
  },
  {
    event:
      '<12>1 2026-03-03T10:00:00.000Z pa1 - - - - 1,2026/03/03 10:00:00,0123456789,SYSTEM,auth,0,2026/03/03 10:00:00,,auth-fail,,0,0,general,medium,"failed authentication for user \'admin\'. Reason: Invalid username/password. From: 203.0.113.9.",702,0x0,0,0,0,0,,pa1',
    expect: {
      host: 'pa1',
      severity: 'medium',
      event_code: 'auth-fail',
      user: 'admin',
      src_ip: '203.0.113.9',
    },
  },
  {
    event:
      '1,2026/03/03 10:00:00,0123456789,CONFIG,0,2561,2026/03/03 10:00:00,192.0.2.5,,set,admin,Web,Succeeded, vsys  vsys1 rulebase security rules  open-all,703,0x0,0,0,0,0,,pa1,0,,0,2026-03-03T10:00:00.421+00:00',
    expect: {
      at: '2026-03-03T10:00:00.421Z',
      host: 'pa1',
      user: 'admin',
      src_ip: '192.0.2.5',
      fields: { 'event.outcome': 'success', 'panos.command': 'set' },
    },
  },
  {
    event:
      '1,2026/03/03 10:00:00,0123456789,GLOBALPROTECT,0,2305,2026/03/03 10:00:00,vsys1,gateway-auth,login,LDAP,,corp\\mona,NL,LAPTOP7,203.0.113.20,0.0.0.0,192.0.2.99,0.0.0.0,09300aaa-23,SER7,6.1.0,Windows,"Microsoft Windows 11 , 64-bit",1,,,"",success,,0,,0,GW-EU,704,0x0',
    expect: {
      user: 'corp\\mona',
      event_code: 'gateway-auth',
      src_ip: '203.0.113.20',
      fields: { 'event.outcome': 'success', 'panos.machine': 'LAPTOP7' },
    },
  },
  {
    event:
      'Mar  3 10:00:01 1,2026/03/03 10:00:00,0123456789,USERID,login,2305,2026/03/03 10:00:00,vsys1,192.0.2.21,corp\\mona,,0,1,10800,0,0,vpn-client,globalprotect,1277996,0x0,0,0,0,0,,pa1,1,,2026/03/03 10:00:00,1,0x80000000,mona',
    expect: {
      host: 'pa1',
      user: 'corp\\mona',
      event_code: 'userid-login',
      src_ip: '192.0.2.21',
    },
  },
  {
    event:
      '1,2026/03/03 10:00:01,0123456789,DECRYPTION,0,2562,2026/03/03 10:00:00,192.0.2.21,203.0.113.80,198.51.100.9,203.0.113.80,out-web,corp\\mona,,ssl,vsys1,trust,untrust,ethernet1/2,ethernet1/1,to-siem,2026/03/03 10:00:00,4711,1,50123,443,31000,443,0x400053,tcp,allow,N/A,,,,,,,TLS1.3,AES_256_GCM,SHA384',
    expect: {
      event_code: 'decryption',
      user: 'corp\\mona',
      src_ip: '192.0.2.21',
      dst_ip: '203.0.113.80',
      fields: { 'destination.port': 443, 'event.action': 'allow', 'rule.name': 'out-web' },
    },
  },
  {
    event:
      '1,2026/03/03 10:00:01,0123456789,AUTHENTICATION,login,2562,2026/03/03 10:00:00,vsys1,192.0.2.21,corp\\mona,mona,vpn-portal,mfa-policy,1,0,Okta,to-siem,okta-profile,Push rejected,GlobalProtect,Failure,2,705,0x0,0,0,0,0,,pa1',
    expect: {
      host: 'pa1',
      event_code: 'authentication-login',
      user: 'corp\\mona',
      src_ip: '192.0.2.21',
      fields: { 'event.outcome': 'failure', 'rule.name': 'mfa-policy' },
    },
  },
  {
    event:
      '1,2026/03/03 10:00:01,0123456789,HIPMATCH,0,2562,2026/03/03 10:00:00,corp\\mona,vsys1,LAPTOP7,Windows,192.0.2.21,no-disk-encryption,1,profile,706,0x0',
    expect: {
      event_code: 'hipmatch',
      user: 'corp\\mona',
      src_ip: '192.0.2.21',
      fields: { 'panos.machine': 'LAPTOP7', 'rule.name': 'no-disk-encryption' },
    },
  },
  {
    event:
      '1,2026/03/03 10:00:01,0123456789,CORRELATION,,,2026/03/03 10:00:00,192.0.2.21,corp\\mona,vsys1,compromised-host,medium,0,0,0,0,,pa1,,beacon-heuristics,6005,Host repeatedly visited a malware URL',
    expect: {
      severity: 'medium',
      event_code: 'correlation',
      user: 'corp\\mona',
      src_ip: '192.0.2.21',
    },
  },
]
