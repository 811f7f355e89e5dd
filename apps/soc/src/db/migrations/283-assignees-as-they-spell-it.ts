import { statement } from './statement.ts'

/**
 * An assignee is kept as that user spells the name, and lists look for that: what was stored before
 * in another letter case would be found, and read, by nobody. No two users differ in that alone.
 */
export const assigneesAsTheySpellIt = statement(
  ['alerts', 'cases', 'case_tasks'].map(respell).join('\n'),
)

function respell(table: string) {
  return `
  UPDATE ${table} SET assignee = users.username FROM users
    WHERE lower(users.username) = lower(${table}.assignee) AND users.username <> ${table}.assignee;`
}
