import type { Severity } from '@manara/soc-contract/severity'
import type { ObjectFormat } from '../log-format.ts'
import { type Of, readPlaces } from './cloud-event.ts'

/** As the API answers, as an export to S3 and inside an event of EventBridge. */
const every = (...names: string[]) =>
  names.flatMap((name) => [name, `detail.${name}`, name[0]?.toUpperCase() + name.slice(1)])

const ACTIONS = ['networkConnectionAction', 'awsApiCallAction', 'portProbeAction.portProbeDetails']
const remote = (name: string) =>
  every(...ACTIONS.map((action) => `service.action.${action}.remoteIpDetails.${name}`))

/** From 0.1 to 10, in steps that the service names itself. */
function severityOf(of: Of): Severity | undefined {
  const number = Number(of(...every('severity')))
  if (!(number >= 0)) return undefined
  return number >= 9 ? 'critical' : number >= 7 ? 'high' : number >= 4 ? 'medium' : 'low'
}

export const guardduty: ObjectFormat = {
  id: 'aws.guardduty',
  title: 'AWS GuardDuty findings',
  group: 'cloud',
  kind: 'object',
  ecs: 'intrusion_detection',
  ocsf: { class: 'detection_finding', activity: 'create' },
  overrules: true,
  when: {
    names: every('service.detectorId')
      .concat('Service.DetectorId')
      .map((name) => [name]),
  },
  read: readPlaces({
    source: 'guardduty',
    at: [...every('service.eventLastSeen', 'updatedAt', 'createdAt'), 'time'],
    user: every('resource.accessKeyDetails.userName'),
    machine: every('resource.instanceDetails.instanceId'),
    code: every('type'),
    from: remote('ipAddressV4'),
    to: every('resource.instanceDetails.networkInterfaces.privateIpAddress'),
    message: every('title', 'description'),
    severity: severityOf,
    shared: {
      'rule.name': every('type'),
      'source.port': every('service.action.networkConnectionAction.remotePortDetails.port'),
      'destination.port': every('service.action.networkConnectionAction.localPortDetails.port'),
      'dns.question.name': every('service.action.dnsRequestAction.domain'),
    },
  }),
  samples: [
    {
      event: {
        schemaVersion: '2.0',
        accountId: '1',
        region: 'eu-central-1',
        id: 'f1',
        type: 'UnauthorizedAccess:EC2/SSHBruteForce',
        severity: 8,
        createdAt: '2026-03-03T10:00:00.000Z',
        title: 'Somebody guesses passwords',
        resource: { instanceDetails: { instanceId: 'i-1' } },
        service: {
          detectorId: 'd1',
          action: {
            networkConnectionAction: {
              remoteIpDetails: { ipAddressV4: '192.0.2.7' },
              localPortDetails: { port: 22 },
            },
          },
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        severity: 'high',
        host: 'i-1',
        event_code: 'UnauthorizedAccess:EC2/SSHBruteForce',
        src_ip: '192.0.2.7',
        message: 'Somebody guesses passwords',
        fields: { 'destination.port': 22 },
      },
    },
  ],
}
