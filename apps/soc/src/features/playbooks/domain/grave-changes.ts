import type { PlaybookDefinition } from '@manara/soc-contract/playbooks'
import { differences } from './differences.ts'

/** What an execution does or when it begins, and who lets it. */
const GRAVE = ['steps', 'parameters', 'trigger', 'approvers'] as const

/**
 * What one person may not change alone. Whatever makes a critical playbook safer (switching it off,
 * making an ordinary one critical) needs nobody else: it may have to happen at once.
 */
export function graveChanges(before: PlaybookDefinition, after: PlaybookDefinition): string[] {
  if (!before.is_critical) {
    return before.approvers === null || isSame(before, after, 'approvers') ? [] : ['approvers']
  }
  const changed: string[] = GRAVE.filter((field) => !isSame(before, after, field))
  if (!after.is_critical) changed.push('is_critical')
  if (after.enabled && !before.enabled) changed.push('enabled')
  return changed
}

const isSame = (
  before: PlaybookDefinition,
  after: PlaybookDefinition,
  field: keyof PlaybookDefinition,
) => differences(before[field], after[field]).length === 0
