import type { FieldValue } from '@manara/log-query/event'
import type { ObjectFormat } from '../log-format.ts'
import { type Of, outcomeIn, readPlaces } from './cloud-event.ts'

/** As CloudTrail writes it, and inside an event of EventBridge. */
const both = (...names: string[]) => names.flatMap((name) => [name, `detail.${name}`])

function outcomeOf(of: Of): string {
  const signedIn = of(...both('responseElements.ConsoleLogin'))
  const error = of(...both('errorCode', 'errorMessage'))
  return outcomeIn(signedIn) ?? (error === undefined ? 'success' : 'failure')
}

/** Elastic has moved most of it under names of ECS. */
function ofElastic(of: Of): Record<string, FieldValue | undefined> {
  if (of('aws.cloudtrail.event_version') === undefined) return {}
  return {
    eventName: of('event.action'),
    eventSource: of('event.provider'),
    eventType: of('aws.cloudtrail.event_type'),
    awsRegion: of('cloud.region'),
    errorCode: of('aws.cloudtrail.error_code'),
    errorMessage: of('aws.cloudtrail.error_message'),
    sourceIPAddress: of('source.ip', 'source.address'),
    userAgent: of('user_agent.original'),
    'userIdentity.type': of('aws.cloudtrail.user_identity.type'),
    'userIdentity.arn': of('aws.cloudtrail.user_identity.arn'),
    'userIdentity.userName': of('user.name'),
  }
}

export const cloudtrail: ObjectFormat = {
  id: 'aws.cloudtrail',
  title: 'AWS CloudTrail',
  group: 'cloud',
  kind: 'object',
  ecs: 'api',
  ocsf: { class: 'api_activity', activity: { ConsoleLogin: 'logon' } },
  overrules: true,
  when: {
    names: [
      ['userIdentity.type', 'eventName'],
      ['awsRegion', 'eventName', 'eventSource'],
      ['detail.eventSource', 'detail.eventName'],
      ['aws.cloudtrail.event_version', 'event.action'],
    ],
  },
  read: readPlaces({
    source: 'cloudtrail',
    at: [...both('eventTime'), 'time'],
    user: both(
      'userIdentity.userName',
      'userIdentity.sessionContext.sessionIssuer.userName',
      'userIdentity.arn',
      'userIdentity.invokedBy',
      'userIdentity.type',
    ),
    code: both('eventName'),
    from: both('sourceIPAddress'),
    message: both('eventName'),
    outcome: outcomeOf,
    shared: {
      'event.reason': both('errorMessage', 'errorCode'),
      'user_agent.original': both('userAgent'),
      'service.name': both('eventSource'),
      'user.target.name': both('requestParameters.userName'),
    },
    more: ofElastic,
  }),
  samples: [
    {
      event: {
        eventVersion: '1.08',
        eventTime: '2026-03-03T10:00:00Z',
        eventSource: 'iam.amazonaws.com',
        eventName: 'CreateUser',
        awsRegion: 'eu-central-1',
        sourceIPAddress: '192.0.2.7',
        userAgent: 'aws-cli/2',
        errorCode: 'AccessDenied',
        userIdentity: { type: 'IAMUser', userName: 'eve', arn: 'arn:aws:iam::1:user/eve' },
        requestParameters: { userName: 'mallory' },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve',
        event_code: 'CreateUser',
        src_ip: '192.0.2.7',
        fields: { 'event.outcome': 'failure', 'user.target.name': 'mallory' },
      },
    },
    {
      event: {
        '@timestamp': '2026-03-03T10:00:00.000Z',
        event: { provider: 'iam.amazonaws.com', action: 'CreateUser', dataset: 'aws.cloudtrail' },
        aws: { cloudtrail: { event_version: '1.08', user_identity: { type: 'IAMUser' } } },
        user: { name: 'eve' },
        source: { ip: '192.0.2.7' },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve',
        src_ip: '192.0.2.7',
        fields: {
          eventName: 'CreateUser',
          eventSource: 'iam.amazonaws.com',
          'userIdentity.type': 'IAMUser',
        },
      },
    },
  ],
}
