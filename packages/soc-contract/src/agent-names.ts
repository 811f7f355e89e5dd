/** The sixteen, as the platform ships them: an agent is said by its id or by its name. */
export const AGENTS = [
  { id: 'agent-001', name: 'Triage', type: 'triage' },
  { id: 'agent-002', name: 'Enrichment', type: 'enrichment' },
  { id: 'agent-003', name: 'Correlation', type: 'correlation' },
  { id: 'agent-004', name: 'ThreatHunter', type: 'hunting' },
  { id: 'agent-005', name: 'DetectionTuner', type: 'tuning' },
  { id: 'agent-006', name: 'CaseKeeper', type: 'case' },
  { id: 'agent-007', name: 'PlaybookResponder', type: 'response' },
  { id: 'agent-008', name: 'EdrResponder', type: 'edr' },
  { id: 'agent-009', name: 'IdentityGuard', type: 'identity' },
  { id: 'agent-010', name: 'NetworkAnalyst', type: 'network' },
  { id: 'agent-011', name: 'MalwareAnalyst', type: 'malware' },
  { id: 'agent-012', name: 'VulnerabilityAnalyst', type: 'vulnerability' },
  { id: 'agent-013', name: 'CpsGuard', type: 'cps' },
  { id: 'agent-014', name: 'Reporter', type: 'reporting' },
  { id: 'agent-015', name: 'Supervisor', type: 'supervisor' },
  { id: 'agent-016', name: 'ApprovalGate', type: 'approval' },
] as const

export type AgentName = (typeof AGENTS)[number]

export const agentCalled = (idOrName: string): AgentName | undefined =>
  AGENTS.find(({ id, name }) => id === idOrName || name === idOrName)
