import { existsSync, readFileSync } from 'node:fs'

/**
 * Every threat in docs/security.md names a test, and every test it names is there: the last column
 * of a table of threats holds `file`: "beginning of the test's name", several with `;` between them.
 */
const NAMED = /`([^`]+)`: "([^"]+)"/g

const faults: string[] = []
let threats = 0
let isTable = false
for (const line of readFileSync('docs/security.md', 'utf8').split('\n')) {
  if (/^\| *threat *\|/.test(line)) isTable = true
  else if (!line.startsWith('|')) isTable = false
  else if (isTable && !/^\|[-| ]+\|$/.test(line)) check(line)
}
for (const fault of faults) process.stdout.write(`${fault}\n`)
process.stdout.write(`${threats} threats\n`)
process.exitCode = threats > 0 && faults.length === 0 ? 0 : 1

function check(row: string) {
  threats += 1
  const [, threat = '', ...others] = row.split('|').map((cell) => cell.trim())
  const tests = [...(others.at(-2) ?? '').matchAll(NAMED)]
  if (tests.length === 0) faults.push(`names no test: ${threat}`)
  for (const [, file = '', name = ''] of tests) {
    if (!existsSync(file)) faults.push(`not there: ${file}`)
    else if (!hasTest(readFileSync(file, 'utf8'), name)) faults.push(`no test "${name}" in ${file}`)
  }
}

/** A test's title begins with the name; a table of cases may hold it as one of its texts. */
function hasTest(code: string, name: string): boolean {
  return ["'", '"', '`'].some((quote) => code.includes(quote + name))
}
