import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePredicate } from '@manara/log-query/predicate'
import { importSigma } from '@manara/sigma/import-sigma'
import { normalise } from '../../normalise.ts'

/** A rule as Sigma's repository writes it for this service. */
function ruleFor(logsource: string, selection: Record<string, unknown>): string {
  const [product, service] = logsource.split('/')
  const lines = Object.entries(selection).map(
    ([name, value]) => `    ${name}: ${JSON.stringify(value)}`,
  )
  return `title: A
id: 7e0f3a52-1f0e-4c55-9f0e-2f6f1b1a0002
logsource:
  product: ${product}
  service: ${service}
detection:
  selection:
${lines.join('\n')}
  condition: selection
`
}

function fires(rule: string, object: Record<string, unknown>): boolean {
  const [imported] = importSigma([{ name: 'a.yml', content: rule }]).rules
  assert.equal(imported?.kind, 'query')
  const arrival = { receivedAt: Date.UTC(2026, 5, 1), way: 'api', newId: () => 'id' }
  return compilePredicate(imported.query)(normalise({ object, isEnvelope: true }, arrival))
}

const SIGN_IN = {
  time: '2026-03-03T10:00:00Z',
  resourceId: '/tenants/t1/providers/Microsoft.aadiam',
  operationName: 'Sign-in activity',
  category: 'SignInLogs',
}
const AUDIT = { activityDateTime: '2026-03-03T10:00:00Z', loggedByService: 'Core Directory' }

const RULES: [
  logsource: string,
  selection: Record<string, unknown>,
  event: Record<string, unknown>,
][] = [
  ['azure/signinlogs', { ResultType: 50053 }, { ...SIGN_IN, resultType: '50053' }],
  [
    'azure/signinlogs',
    { ResultType: 53003, Resultdescription: 'Blocked by Conditional Access' },
    {
      createdDateTime: '2026-03-03T10:00:00Z',
      userPrincipalName: 'eve@corp.example',
      status: { errorCode: 53003, failureReason: 'Blocked by Conditional Access' },
    },
  ],
  [
    'azure/signinlogs',
    { Status: 'Success', AuthenticationRequirement: 'singleFactorAuthentication' },
    {
      ...SIGN_IN,
      resultType: '0',
      properties: { authenticationRequirement: 'singleFactorAuthentication' },
    },
  ],
  [
    'azure/signinlogs',
    { 'properties.message': 'ROPC' },
    { ...SIGN_IN, properties: { authenticationProtocol: 'ropc' } },
  ],
  [
    'azure/signinlogs',
    { 'DeviceDetail.isCompliant': 'false' },
    { ...SIGN_IN, properties: { deviceDetail: { isCompliant: false } } },
  ],
  [
    'azure/auditlogs',
    { 'properties.message': 'Add owner to application' },
    { ...AUDIT, activityDisplayName: 'Add owner to application', result: 'success' },
  ],
  [
    'azure/auditlogs',
    {
      OperationName: 'Update user',
      'TargetResources.ModifiedProperties.NewValue|contains': 'State',
    },
    {
      TimeGenerated: '2026-03-03T10:00:00Z',
      LoggedByService: 'Core Directory',
      OperationName: 'Update user',
      TargetResources: [{ modifiedProperties: [{ displayName: 'A', newValue: '[{"State":0}]' }] }],
    },
  ],
  [
    'azure/auditlogs',
    { 'ConsentContext.IsAdminConsent': 'false' },
    {
      ...AUDIT,
      activityDisplayName: 'Consent to application',
      targetResources: [
        {
          modifiedProperties: [
            { displayName: 'ConsentContext.IsAdminConsent', newValue: '"False"' },
          ],
        },
      ],
    },
  ],
  [
    'azure/activitylogs',
    { operationName: 'MICROSOFT.NETWORK/DNSZONES/DELETE' },
    {
      eventTimestamp: '2026-03-03T10:00:00Z',
      resourceId: '/subscriptions/s1',
      operationName: { value: 'Microsoft.Network/dnsZones/delete' },
    },
  ],
  [
    'azure/riskdetection',
    { riskEventType: 'unlikelyTravel' },
    {
      time: '2026-03-03T10:00:00Z',
      category: 'UserRiskEvents',
      resourceId: 'x',
      properties: { riskEventType: 'unlikelyTravel' },
    },
  ],
  [
    'azure/pim',
    { riskEventType: 'staleSignInAlertIncident' },
    { '@odata.type': '#microsoft.graph.staleSignInAlertIncident', assigneeDisplayName: 'Eve' },
  ],
  [
    'gcp/gcp.audit',
    { 'gcp.audit.method_name': ['v*.Compute.Firewalls.Delete'] },
    { protoPayload: { methodName: 'v1.compute.firewalls.delete', serviceName: 'x' } },
  ],
  [
    'gcp/gcp.audit',
    {
      'data.protoPayload.resource.type': 'k8s_cluster',
      'data.protoPayload.authorizationInfo.granted': 'true',
    },
    {
      resource: { type: 'k8s_cluster' },
      protoPayload: { methodName: 'x', authorizationInfo: [{ permission: 'p', granted: true }] },
    },
  ],
  [
    'gcp/google_workspace.admin',
    {
      eventService: 'admin.googleapis.com',
      eventName: 'CHANGE_APPLICATION_SETTING',
      new_value: 'false',
    },
    {
      id: { time: '2026-03-03T10:00:00Z', applicationName: 'admin' },
      events: [
        { name: 'CHANGE_APPLICATION_SETTING', parameters: [{ name: 'NEW_VALUE', value: 'false' }] },
      ],
    },
  ],
  [
    'gcp/google_workspace.login',
    {
      'protoPayload.Servicename': 'login.googleapis.com',
      'protoPayload.metadata.event.eventName': 'gov_attack_warning',
    },
    {
      id: { time: '2026-03-03T10:00:00Z', applicationName: 'login' },
      events: [{ name: 'gov_attack_warning' }],
    },
  ],
  [
    'okta/okta',
    { eventtype: 'system.api_token.create' },
    { published: '2026-03-03T10:00:00Z', eventType: 'system.api_token.create' },
  ],
  [
    'm365/threat_management',
    {
      eventSource: 'SecurityComplianceCenter',
      eventName: 'Impossible travel activity',
      status: 'success',
    },
    {
      CreationTime: '2026-03-03T10:00:00',
      Workload: 'SecurityComplianceCenter',
      Operation: 'AlertTriggered',
      Name: 'Impossible travel activity',
    },
  ],
  [
    'cisco/duo',
    { event_type: 'authentication', reason: 'bypass_user' },
    {
      timestamp: 1772532000,
      txid: 't',
      factor: 'n/a',
      event_type: 'authentication',
      reason: 'bypass_user',
    },
  ],
]

for (const [logsource, selection, event] of RULES) {
  test(`a rule for ${logsource} about ${Object.keys(selection).join(', ')} fires on the raw event`, () => {
    const rule = ruleFor(logsource, selection)
    assert.ok(fires(rule, event))
    const [first] = Object.entries(selection)
    assert.ok(!fires(ruleFor(logsource, { ...selection, [first?.[0] ?? '']: 'other' }), event))
  })
}
