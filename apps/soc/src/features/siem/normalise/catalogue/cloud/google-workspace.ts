import type { ObjectFormat } from '../log-format.ts'
import { listOf, mapOf, type Of, readPlaces } from './cloud-event.ts'

/** The names of the rules, and each parameter under its own name in small letters. */
function forRules(of: Of, object: Record<string, unknown>) {
  const application = of('id.applicationName')
  const found: Record<string, string | undefined> = {
    eventService: application && `${application}.googleapis.com`,
    eventName: of('events.name'),
  }
  for (const event of listOf(object.events).slice(0, 20)) {
    for (const parameter of listOf(mapOf(event).parameters).slice(0, 50)) {
      const { name, value, boolValue, intValue } = mapOf(parameter)
      const said = value ?? boolValue ?? intValue
      if (typeof name !== 'string' || name === '__proto__' || said === undefined) continue
      found[name.toLowerCase()] ??= String(said)
    }
  }
  return found
}

export const googleWorkspace: ObjectFormat = {
  id: 'google.workspace',
  title: 'Google Workspace activity reports',
  group: 'cloud',
  kind: 'object',
  ecs: 'iam',
  ocsf: {
    class: 'api_activity',
    activity: { login_success: 'logon', login_failure: 'logon', logout: 'logoff' },
  },
  overrules: true,
  when: {
    names: [
      ['id.applicationName', 'events.name'],
      ['id.time', 'events.name'],
    ],
  },
  read: readPlaces({
    source: 'google_workspace',
    at: ['id.time'],
    user: ['actor.email', 'actor.profileId', 'actor.key'],
    code: ['events.name'],
    from: ['ipAddress'],
    message: ['events.name'],
    outcome: (of) => {
      const name = of('events.name') ?? ''
      return name.includes('fail') ? 'failure' : name.includes('success') ? 'success' : undefined
    },
    more: forRules,
  }),
  samples: [
    {
      event: {
        kind: 'admin#reports#activity',
        id: { time: '2026-03-03T10:00:00.000Z', uniqueQualifier: '1', applicationName: 'admin' },
        actor: { email: 'eve@corp.example', profileId: '1' },
        ipAddress: '192.0.2.7',
        events: [
          {
            type: 'APPLICATION_SETTINGS',
            name: 'CHANGE_APPLICATION_SETTING',
            parameters: [
              { name: 'SETTING_NAME', value: 'ContextAwareAccess' },
              { name: 'NEW_VALUE', value: 'false' },
            ],
          },
        ],
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve@corp.example',
        event_code: 'CHANGE_APPLICATION_SETTING',
        src_ip: '192.0.2.7',
        fields: {
          eventService: 'admin.googleapis.com',
          setting_name: 'ContextAwareAccess',
          new_value: 'false',
        },
      },
    },
  ],
}
