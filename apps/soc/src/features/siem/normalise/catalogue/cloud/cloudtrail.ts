import type { ObjectFormat } from '../log-format.ts'
import { type Of, outcomeIn, readPlaces } from './cloud-event.ts'

/** As CloudTrail writes it, and inside an event of EventBridge. */
const both = (...names: string[]) => names.flatMap((name) => [name, `detail.${name}`])

function outcomeOf(of: Of): string {
  const signedIn = of(...both('responseElements.ConsoleLogin'))
  const error = of(...both('errorCode', 'errorMessage'))
  return outcomeIn(signedIn) ?? (error === undefined ? 'success' : 'failure')
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
  ],
}
