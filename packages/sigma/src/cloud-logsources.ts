import type { FieldNames, Mapping } from './mappings.ts'

const firstLetter = (name: string, change: (letter: string) => string) =>
  change(name.slice(0, 1)) + name.slice(1)

/**
 * A name as Azure's ways out write it: diagnostic settings `a` and `properties.a`, the Graph API
 * `a`, Log Analytics `A`.
 */
const azure = (...names: string[]) =>
  names.flatMap((name) => {
    const small = firstLetter(name, (letter) => letter.toLowerCase())
    return [small, `properties.${small}`, firstLetter(name, (letter) => letter.toUpperCase())]
  })

const unique = (...names: string[]) => [...new Set(names)]

/** What was done: a rule's `properties.message` is the name of the activity, too. */
const ACTIVITY = azure('operationName', 'activityDisplayName')
const UPN = azure('userPrincipalName', 'initiatedBy.user.userPrincipalName')
const MODIFIED = ['displayName', 'newValue', 'oldValue'].flatMap((name) =>
  azure(`targetResources.modifiedProperties.${name}`),
)
const TARGETS = [
  ...['id', 'displayName', 'userPrincipalName', 'type'].flatMap((name) =>
    azure(`targetResources.${name}`),
  ),
  ...MODIFIED,
]

const AUDIT_FIELDS: FieldNames = {
  LoggedByService: azure('loggedByService'),
  Category: azure('category'),
  category: azure('category'),
  OperationName: ACTIVITY,
  operationName: ACTIVITY,
  ActivityDisplayName: ACTIVITY,
  ActivityType: unique('ActivityType', 'activityType', ...ACTIVITY),
  activityType: unique('activityType', 'ActivityType', ...ACTIVITY),
  'properties.message': unique('properties.message', ...ACTIVITY, ...MODIFIED),
  Status: unique('Status', 'status', ...azure('result', 'resultReason')),
  'properties.result': azure('result'),
  failure_status_reason: unique(
    'failure_status_reason',
    ...azure('resultReason', 'resultDescription'),
  ),
  'additionalDetails.additionalInfo': unique(
    'additionalDetails.additionalInfo',
    ...azure('additionalDetails.value', 'resultReason'),
  ),
  TargetResources: unique('TargetResources', ...TARGETS),
  'properties.targetResources': unique('properties.targetResources', ...TARGETS),
  'targetResources.type': azure('targetResources.type'),
  'TargetResources.modifiedProperties': unique('TargetResources.modifiedProperties', ...MODIFIED),
  'TargetResources.modifiedProperties.newValue': unique(
    'TargetResources.modifiedProperties.newValue',
    ...azure('targetResources.modifiedProperties.newValue'),
  ),
  'TargetResources.ModifiedProperties.DisplayName': unique(
    'TargetResources.ModifiedProperties.DisplayName',
    ...azure('targetResources.modifiedProperties.displayName'),
  ),
  'TargetResources.ModifiedProperties.NewValue': unique(
    'TargetResources.ModifiedProperties.NewValue',
    ...azure('targetResources.modifiedProperties.newValue'),
  ),
  Initiatedby: unique('Initiatedby', ...UPN),
  Target: unique('Target', ...azure('targetResources.userPrincipalName')),
}

const REASONS = azure('resultDescription', 'status.failureReason', 'status.additionalDetails')

const SIGN_IN_FIELDS: FieldNames = {
  userAgent: azure('userAgent'),
  Status: unique('Status', 'status', ...REASONS),
  ResultType: azure('resultType', 'status.errorCode'),
  ResultDescription: unique('ResultDescription', 'Status', ...REASONS),
  Resultdescription: unique('Resultdescription', ...REASONS),
  'properties.message': unique('properties.message', ...azure('authenticationProtocol')),
  AuthenticationRequirement: azure('authenticationRequirement'),
  RiskState: azure('riskState'),
  'DeviceDetail.trusttype': unique(...azure('deviceDetail.trustType'), 'DeviceDetail.trusttype'),
  'DeviceDetail.deviceId': azure('deviceDetail.deviceId'),
  'DeviceDetail.isCompliant': azure('deviceDetail.isCompliant'),
  ResourceDisplayName: azure('resourceDisplayName'),
  conditionalAccessStatus: azure('conditionalAccessStatus'),
  NetworkLocationDetails: azure('networkLocationDetails', 'networkLocationDetails.networkType'),
  ClientApp: unique('ClientApp', ...azure('clientAppUsed')),
  Username: unique('Username', ...UPN),
}

const OPERATION = unique(
  ...['operationName', 'operationName.value', 'OperationNameValue', 'OperationName'],
  ...['authorization.action', 'properties.operationName'],
)

const ACTIVITY_FIELDS: FieldNames = {
  operationName: OPERATION,
  OperationNameValue: OPERATION,
  'properties.message': unique('properties.message', 'operationName.localizedValue', ...OPERATION),
  CategoryValue: ['CategoryValue', 'category.value', 'category', 'Category'],
  ResourceProviderValue: unique(
    ...['ResourceProviderValue', 'resourceProviderName.value', 'resourceProvider'],
    ...['ResourceProvider', 'properties.resourceProviderValue'],
  ),
  ResourceId: ['ResourceId', 'resourceId', '_ResourceId', 'properties.resource'],
}

const RISK: FieldNames = { riskEventType: azure('riskEventType') }

/** As the log has it, and as it arrives through Pub/Sub: rules use either. */
const google = (path: string) => [`protoPayload.${path}`, `data.protoPayload.${path}`]

const GOOGLE_FIELDS: FieldNames = {
  'gcp.audit.method_name': ['gcp.audit.method_name', ...google('methodName')],
  'data.protoPayload.methodName': google('methodName'),
  'data.protoPayload.serviceName': google('serviceName'),
  'data.protoPayload.authorizationInfo.permission': google('authorizationInfo.permission'),
  'data.protoPayload.authorizationInfo.granted': google('authorizationInfo.granted'),
  'data.protoPayload.resource.type': [
    ...google('resource.type'),
    'resource.type',
    'data.resource.type',
  ],
  'data.protoPayload.logName': [...google('logName'), 'logName', 'data.logName'],
}

const WORKSPACE_NAMES = ['events.name', ...google('metadata.event.eventName')]

const WORKSPACE_FIELDS: FieldNames = {
  eventService: ['eventService', ...google('serviceName')],
  eventName: ['eventName', ...WORKSPACE_NAMES],
  'protoPayload.serviceName': [...google('serviceName'), 'eventService'],
  'protoPayload.Servicename': [
    ...google('serviceName'),
    'eventService',
    'protoPayload.Servicename',
  ],
  'protoPayload.metadata.event.eventName': ['eventName', ...WORKSPACE_NAMES],
  new_value: ['new_value', ...google('metadata.event.parameter.value')],
  setting_name: ['setting_name', ...google('metadata.event.parameter.value')],
}

/** With small letters in older rules, and as Elastic’s integration renames them. */
const OKTA_FIELDS: FieldNames = {
  eventType: ['eventType', 'eventtype', 'okta.event_type'],
  eventtype: ['eventType', 'eventtype', 'okta.event_type'],
  legacyEventType: ['legacyEventType', 'legacyeventtype'],
  displayMessage: ['displayMessage', 'displaymessage', 'okta.display_message'],
  displaymessage: ['displayMessage', 'displaymessage', 'okta.display_message'],
  'outcome.result': ['outcome.result', 'okta.outcome.result'],
  'outcome.reason': ['outcome.reason', 'okta.outcome.reason'],
  'actor.alternateId': ['actor.alternateId', 'actor.alternateid', 'okta.actor.alternate_id'],
  'actor.alternateid': ['actor.alternateId', 'actor.alternateid', 'okta.actor.alternate_id'],
  'target.displayName': ['target.displayName', 'okta.target.display_name'],
  'securityContext.isProxy': ['securityContext.isProxy', 'securitycontext.isproxy'],
}

const M365_FIELDS: FieldNames = {
  eventSource: ['eventSource', 'Workload', 'Source'],
  eventName: ['eventName', 'Operation', 'Name', 'AlertName'],
  status: ['status', 'fields.status', 'ResultStatus'],
  Payload: ['Payload', 'Operation', 'Parameters.Value', 'Parameters', 'Data'],
  Parameters: ['Parameters', 'Parameters.Name', 'Parameters.Value'],
  OperationProperties: [
    ...['OperationProperties', 'OperationProperties.Name', 'OperationProperties.Value'],
  ],
  RequestType: ['RequestType', 'ExtendedProperties.Value'],
}

const DUO_FIELDS: FieldNames = {
  event_type: ['event_type', 'eventtype', 'cisco_duo.auth.event_type'],
  reason: ['reason', 'cisco_duo.auth.reason'],
}

/** What rules for cloud services call a thing, and where it stands in what the services send. */
export const CLOUD_LOGSOURCES: Mapping[] = [
  { product: 'azure', service: 'auditlogs', fields: AUDIT_FIELDS },
  { product: 'azure', service: 'signinlogs', fields: SIGN_IN_FIELDS },
  { product: 'azure', service: 'activitylogs', fields: ACTIVITY_FIELDS },
  { product: 'azure', service: 'riskdetection', fields: RISK },
  { product: 'azure', service: 'pim', fields: RISK },
  { product: 'gcp', service: 'gcp.audit', fields: GOOGLE_FIELDS },
  { product: 'gcp', fields: WORKSPACE_FIELDS },
  { product: 'okta', fields: OKTA_FIELDS },
  { product: 'm365', fields: M365_FIELDS },
  { product: 'cisco', service: 'duo', condition: { kind: 'all' }, fields: DUO_FIELDS },
]
