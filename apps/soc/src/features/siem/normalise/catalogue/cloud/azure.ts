import type { ObjectFormat } from '../log-format.ts'
import { listOf, mapOf, type Of, outcomeIn, readPlaces } from './cloud-event.ts'

/** As diagnostic settings, the Graph API and Log Analytics write a name: `a`, `properties.a`, `A`. */
const every = (...names: string[]) =>
  names.flatMap((name) => [name, `properties.${name}`, name[0]?.toUpperCase() + name.slice(1)])

const ERROR_CODES = every('status.errorCode')
const RESULTS = ['resultType', 'ResultType', ...every('result'), ...ERROR_CODES, 'status.value']
const ODATA = '#microsoft.graph.'

/** A sign-in's result is a number: 0, or that of the error. */
function outcomeOf(of: Of): string | undefined {
  const result = of(...RESULTS)
  const known = outcomeIn(result)
  if (known || result === undefined) return known
  return /^\d+$/.test(result) ? 'failure' : outcomeIn(of('resultSignature', 'ResultSignature'))
}

/** `modifiedProperties: [{displayName: 'A', newValue: '"x"'}]` is also `A: x`. */
function modifiedIn(object: Record<string, unknown>): Record<string, string> {
  const found: Record<string, string> = {}
  const { targetResources, TargetResources } = object
  const targets = targetResources ?? TargetResources ?? mapOf(object.properties).targetResources
  for (const target of listOf(targets).slice(0, 20)) {
    const { modifiedProperties, ModifiedProperties } = mapOf(target)
    for (const one of listOf(modifiedProperties ?? ModifiedProperties).slice(0, 50)) {
      const { displayName, DisplayName, newValue, NewValue } = mapOf(one)
      const [name, value] = [displayName ?? DisplayName, newValue ?? NewValue]
      if (typeof name !== 'string' || typeof value !== 'string' || name === '__proto__') continue
      found[name] ??= value.replaceAll('"', '')
    }
  }
  return found
}

const PROTOCOLS = new Map([
  ['deviceCode', 'Device Code'],
  ['ropc', 'ROPC'],
])

/** What Sigma's rules for Azure call what stands nowhere under one name. */
function forRules(of: Of, object: Record<string, unknown>) {
  const outcome = outcomeOf(of)
  const odata = of('@odata.type')
  const result = of('resultType', 'ResultType', ...ERROR_CODES)
  return {
    Status: outcome && (outcome === 'success' ? 'Success' : 'Failure'),
    ResultType: result,
    'properties.message': PROTOCOLS.get(of(...every('authenticationProtocol')) ?? ''),
    ActivityDetails: of(...every('conditionalAccessStatus')) && 'Sign-ins',
    riskEventType:
      of(...every('riskEventType')) ??
      (odata?.startsWith(ODATA) ? odata.slice(ODATA.length) : undefined),
    ...modifiedIn(object),
  }
}

export const azure: ObjectFormat = {
  id: 'azure.monitor',
  title: 'Azure activity and Entra ID: sign-ins, audit, risk detections, privileged identities',
  group: 'cloud',
  kind: 'object',
  ecs: 'iam',
  ocsf: { class: 'api_activity', activity: 'other' },
  overrules: true,
  when: {
    names: [
      ['resourceId', 'operationName'],
      ['resourceId', 'operationName.value'],
      ['resourceId', 'category'],
      ['tenantId', 'operationName'],
      ['properties.userPrincipalName', 'category'],
      ['createdDateTime', 'userPrincipalName'],
      ['conditionalAccessStatus', 'userPrincipalName'],
      ['activityDateTime', 'activityDisplayName'],
      ['loggedByService', 'activityDisplayName'],
      ['riskEventType'],
      ['properties.riskEventType'],
      ['alertDefinitionId', '@odata.type'],
      ['alertIncidentId', '@odata.type'],
      ['assigneeDisplayName', '@odata.type'],
      ['TimeGenerated', 'OperationName'],
      ['TimeGenerated', 'OperationNameValue'],
      ['TimeGenerated', 'RiskEventType'],
      ['TimeGenerated', 'ResultType'],
      ['LoggedByService', 'OperationName'],
      ['OperationNameValue', 'CategoryValue'],
      ['operationName.value', 'resourceProviderName.value'],
    ],
  },
  read: readPlaces({
    source: 'azure',
    at: [
      ...['createdDateTime', 'properties.createdDateTime', 'activityDateTime'],
      ...['properties.activityDateTime', 'detectedDateTime', 'CreatedDateTime', 'eventTimestamp'],
      ...['time', 'ActivityDateTime', 'TimeGenerated'],
    ],
    user: [
      ...every('userPrincipalName', 'initiatedBy.user.userPrincipalName'),
      ...['InitiatedBy.user.userPrincipalName', 'caller', 'Caller', 'properties.caller'],
      ...['identity.claims.name', 'identity', 'Identity', 'userDisplayName'],
      ...every('initiatedBy.app.displayName', 'servicePrincipalName'),
    ],
    code: [
      ...['operationName', 'operationName.value', 'OperationNameValue', 'OperationName'],
      ...every('activityDisplayName', 'riskEventType', 'alertType'),
      ...['properties.operationName', '@odata.type', 'category', 'Category'],
    ],
    from: [
      ...every('ipAddress', 'initiatedBy.user.ipAddress'),
      ...['callerIpAddress', 'CallerIpAddress', 'IPAddress', 'httpRequest.clientIpAddress'],
    ],
    message: ['resultDescription', 'operationName', 'activityDisplayName', 'OperationName'],
    outcome: outcomeOf,
    shared: {
      'user_agent.original': every('userAgent'),
      'event.reason': every('status.failureReason', 'resultReason', 'resultDescription'),
      'user.target.name': every('targetResources.userPrincipalName'),
      'service.name': every('appDisplayName', 'loggedByService'),
    },
    more: forRules,
  }),
  samples: [
    {
      event: {
        time: '2026-03-03T10:00:05.0000000Z',
        resourceId: '/tenants/t1/providers/Microsoft.aadiam',
        operationName: 'Sign-in activity',
        category: 'SignInLogs',
        resultType: '50053',
        resultDescription: 'The account is locked.',
        callerIpAddress: '192.0.2.7',
        identity: 'Eve',
        properties: {
          createdDateTime: '2026-03-03T10:00:00.0000000Z',
          userPrincipalName: 'eve@corp.example',
          appDisplayName: 'Azure Portal',
          authenticationRequirement: 'singleFactorAuthentication',
          conditionalAccessStatus: 'success',
          status: { errorCode: 50053, failureReason: 'Locked' },
        },
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve@corp.example',
        event_code: 'Sign-in activity',
        src_ip: '192.0.2.7',
        fields: { 'event.outcome': 'failure', Status: 'Failure', ResultType: '50053' },
      },
    },
    {
      event: {
        id: 'Directory_1',
        category: 'RoleManagement',
        result: 'success',
        activityDisplayName: 'Add member to role',
        activityDateTime: '2026-03-03T10:00:00Z',
        loggedByService: 'Core Directory',
        initiatedBy: { user: { userPrincipalName: 'eve@corp.example', ipAddress: '192.0.2.7' } },
        targetResources: [
          {
            userPrincipalName: 'mallory@corp.example',
            modifiedProperties: [
              { displayName: 'Role.DisplayName', newValue: '"Global Administrator"' },
            ],
          },
        ],
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve@corp.example',
        event_code: 'Add member to role',
        src_ip: '192.0.2.7',
        fields: {
          'event.outcome': 'success',
          'user.target.name': 'mallory@corp.example',
          'Role.DisplayName': 'Global Administrator',
        },
      },
    },
    {
      event: {
        '@odata.type': '#microsoft.graph.riskDetection',
        riskEventType: 'unlikelyTravel',
        riskLevel: 'medium',
        activityDateTime: '2026-03-03T10:00:00Z',
        userPrincipalName: 'eve@corp.example',
        ipAddress: '192.0.2.7',
      },
      expect: { at: '2026-03-03T10:00:00.000Z', event_code: 'unlikelyTravel', src_ip: '192.0.2.7' },
    },
    {
      event: {
        TimeGenerated: '2026-03-03T10:00:00Z',
        OperationNameValue: 'Microsoft.Compute/virtualMachines/delete',
        CategoryValue: 'Administrative',
        Caller: 'eve@corp.example',
        CallerIpAddress: '192.0.2.7',
        ResourceProviderValue: 'Microsoft.Compute',
      },
      expect: {
        at: '2026-03-03T10:00:00.000Z',
        user: 'eve@corp.example',
        event_code: 'Microsoft.Compute/virtualMachines/delete',
      },
    },
  ],
}
