import { GRANTS, PERMISSIONS, permissionsOf, Role } from './permissions.ts'

/** The page in the docs, made from the table that the server checks by. */
export function permissionsPage(): string {
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  const marks = PERMISSIONS.map((permission) =>
    row([
      `\`${permission}\``,
      GRANTS[permission].allows,
      ...Role.options.map((role) => (permissionsOf(role).has(permission) ? '✓' : '')),
    ]),
  )
  return `# Roles and permissions

Made from \`packages/soc-contract/src/permissions.ts\`: change the table there, then run \`UPDATE_DOCS=1 node --test packages/soc-contract/src/permissions.test.ts\`.

A user has one role. Without a valid token, cookie or API key a route answers 401; without its permission 403. The users routes need the role \`admin\`.

- \`service\` has no permissions of its own: its API keys carry the ones they were made with.
- An API key never does more than its owner may, and is accepted for reading, for alerts, indicators, cases, rules and suppressions, for sending logs and for tools, also over MCP. Deleting cases, acting on other systems, deciding and administering are for people who sign in.

${row(['permission', 'allows to', ...Role.options])}
${row(['---', '---', ...Role.options.map(() => ':-:')])}
${marks.join('\n')}
`
}
