import { addressOf } from '../../addresses.ts'
import { type Parsed, type ParseObject, type ParseText, textOf } from '../../parsed.ts'
import { pairsIn } from '../../scan/pairs.ts'
import { urlFields } from '../../scan/request.ts'
import { counted, transportOf, verdictOf } from '../../scan/traffic.ts'
import { momentOf } from '../../timestamps.ts'
import type { ObjectFormat, TextFormat } from '../log-format.ts'

type Of = (...names: string[]) => string | undefined

/** Zscaler's nanolog feeds leave the names to who sets them up; these are those of its templates. */
function foundOf(of: Of, receivedAt: number): Parsed {
  const action = of('action', 'reqaction')
  const src_ip = addressOf(of('cip', 'ClientIP', 'csip', 'clt_sip', 'cintip', 'clientpublicIP'))
  const dst_ip = addressOf(of('sip', 'serverip', 'cdip', 'srv_dip', 'sdip'))
  return {
    source: 'zscaler',
    at: momentOf(of('epochtime', 'time', 'datetime', 'Time'), receivedAt),
    host: of('devicehostname', 'hostname'),
    user: of('login', 'user', 'elogin', 'euser', 'deviceowner'),
    event_code: of('reason', 'dnsapp') ?? action,
    src_ip: src_ip === '0.0.0.0' ? undefined : src_ip,
    dst_ip: dst_ip === '0.0.0.0' ? undefined : dst_ip,
    fields: counted({
      ...urlFields(of('eurl', 'url', 'durl')),
      'event.action': action,
      ...verdictOf(action),
      'event.reason': of('reason'),
      'source.port': of('csport', 'clt_sport'),
      'destination.port': of('cdport', 'srv_dport'),
      'network.transport': transportOf(of('proto')),
      'network.protocol': of('proto', 'protocol')?.toLowerCase(),
      'network.application': of('appname', 'nwapp'),
      'http.request.method': of('reqmethod', 'requestmethod'),
      'http.response.status_code': of('respcode', 'status'),
      'http.request.bytes': of('reqsize', 'requestsize'),
      'http.response.bytes': of('respsize', 'responsesize'),
      'http.request.referrer': noneOf(of('ereferer', 'refererURL')),
      'user_agent.original': of('ua', 'eua', 'useragent'),
      'source.bytes': of('outbytes'),
      'destination.bytes': of('inbytes'),
      'rule.name': noneOf(of('rulelabel', 'erulelabel')),
      'threat.name': noneOf(of('threatname')),
      'url.category': of('urlcat', 'urlcategory'),
      'dns.question.name': of('req', 'dns_req', 'dnsreq'),
      'dns.question.type': of('reqtype', 'dns_reqtype'),
      'dns.answers.data': of('res', 'dns_resp'),
    }),
  }
}

const noneOf = (value: string | undefined) => (value === 'None' ? undefined : value)

const readObject: ParseObject = (fields, { receivedAt }) =>
  foundOf((...names) => {
    for (const name of names) {
      const value = textOf(fields[name]) ?? textOf(fields[`event.${name}`])
      if (value !== undefined) return value
    }
    return undefined
  }, receivedAt)

const readLine: ParseText = (text, { receivedAt }) => {
  const pairs = pairsIn(text, { between: '\t' })
  if (pairs.vendor !== 'Zscaler' && pairs.product !== 'NSS') return undefined
  const of: Of = (...names) => names.map((name) => pairs[name]).find(Boolean)
  const parsed = foundOf(of, receivedAt)
  // The time stands first, without a name.
  const [time] = text.split('\t', 1)
  const fields = { ...counted(pairs), ...parsed.fields }
  return { ...parsed, at: parsed.at ?? momentOf(time, receivedAt), fields }
}

const ABOUT = {
  group: 'proxy',
  ecs: 'web',
  ocsf: { class: 'http_activity', activity: 'other' },
} as const

export const zscaler: ObjectFormat = {
  ...ABOUT,
  id: 'proxy.zscaler',
  title: 'Zscaler Internet Access (JSON feed)',
  kind: 'object',
  when: {
    names: [
      ['eurl', 'urlcat'],
      ['event.eurl', 'event.urlcat'],
      ['eurl', 'reqmethod'],
      ['event.csip', 'event.cdip'],
      ['csip', 'cdip'],
      ['event.clt_sip', 'event.srv_dip'],
      ['clt_sip', 'srv_dip'],
    ],
  },
  read: readObject,
  samples: [
    {
      event: {
        sourcetype: 'zscalernss-web',
        event: {
          time: 'Tue Mar 03 10:00:00 2026',
          login: 'mona@example.net',
          proto: 'HTTPS',
          eurl: 'games.example.net/play?x=1',
          action: 'Blocked',
          urlcat: 'Games',
          cip: '192.0.2.21',
          sip: '203.0.113.80',
          reqmethod: 'GET',
          respcode: '403',
          reqsize: '600',
          ua: 'curl/8.0',
          threatname: 'None',
          rulelabel: 'no games',
          devicehostname: 'LAPTOP7',
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'mona@example.net',
        src_ip: '192.0.2.21',
        dst_ip: '203.0.113.80',
        fields: {
          'url.original': 'games.example.net/play?x=1',
          'url.domain': 'games.example.net',
          'event.action': 'Blocked',
          'event.outcome': 'failure',
          'http.response.status_code': 403,
          'rule.name': 'no games',
        },
      },
    },
    {
      event: {
        datetime: 'Tue Mar 03 10:00:00 2026',
        user: 'mona@example.net',
        csip: '192.0.2.21',
        csport: 55018,
        cdip: '203.0.113.80',
        cdport: 443,
        action: 'Drop',
        proto: 'TCP',
        rulelabel: 'Default',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'zscaler',
        src_ip: '192.0.2.21',
        fields: { 'destination.port': 443, 'event.outcome': 'failure', 'network.transport': 'tcp' },
      },
    },
  ],
}

export const zscalerLines: TextFormat = {
  ...ABOUT,
  id: 'proxy.zscaler_lines',
  title: 'Zscaler Internet Access (lines with tabs)',
  kind: 'text',
  overrules: true,
  when: { marks: ['vendor=Zscaler', 'product=NSS'], begins: /[\w-]+=/ },
  read: readLine,
  samples: [
    {
      event:
        '<14>2026-03-03 10:00:00\treason=Not allowed to browse this category\tevent_id=70\tprotocol=HTTPS\taction=Blocked\ttransactionsize=600\tresponsesize=65\trequestsize=535\turlcategory=Games\tserverip=203.0.113.80\trequestmethod=GET\trefererURL=None\tuseragent=curl/8.0 (x86)\tproduct=NSS\tlocation=HQ\tClientIP=192.0.2.21\tstatus=403\tuser=mona@example.net\turl=games.example.net/\tvendor=Zscaler\thostname=games.example.net\tclientpublicIP=198.51.100.9\tthreatname=None',
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        source: 'zscaler',
        user: 'mona@example.net',
        src_ip: '192.0.2.21',
        dst_ip: '203.0.113.80',
        fields: { 'event.outcome': 'failure', 'user_agent.original': 'curl/8.0 (x86)' },
      },
    },
  ],
}
