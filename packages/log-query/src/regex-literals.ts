import type { Regex } from './ast.ts'
import { fold } from './fold.ts'

/**
 * Folded texts a value must contain for the regex to be found in it: of every clause at least one.
 * Whatever is not understood says nothing, which is always right.
 */
export function regexLiterals({ source, flags }: Regex, shortest = SHORTEST): string[][] {
  if (/\\[QCpP]/.test(source)) return []
  const reading: Reading = {
    atoms: source.match(ATOM) ?? [],
    at: 0,
    shortest,
    // A flag inside may set it for a part: then all of it is read so.
    isCaseless: flags.i === true || /\(\?[a-zA-Z-]*i/.test(source),
  }
  const clauses = readChoices(reading)
  return reading.at === reading.atoms.length ? clauses : []
}

/** Unless told otherwise: shorter ones are in nearly every text. */
const SHORTEST = 3

const CLASS = String.raw`\[\^?\]?(?:\\.|\[:\^?\w{1,12}:\]|[^\]\\])*\]`
const COUNT = String.raw`\{\d+(?:,\d*)?\}`
const GROUP = String.raw`\((?:\?(?:P<\w+>|[a-zA-Z-]*:|[a-zA-Z-]+\)))?`
const ESCAPE = String.raw`\\(?:x\{[0-9a-fA-F]+\}|x[0-9a-fA-F]{2}|[0-7]{1,3}|.)`
const ATOM = new RegExp(`${ESCAPE}|${CLASS}|${COUNT}|${GROUP}|.`, 'gsu')
const QUANTIFIER = new RegExp(`^(?:[*+?]|${COUNT})$`)

type Reading = { atoms: string[]; at: number; shortest: number; isCaseless: boolean }

/** One clause of each choice together make one; a choice that needs nothing leaves nothing to say. */
function readChoices(reading: Reading): string[][] {
  const choices = [readRow(reading)]
  while (reading.atoms[reading.at] === '|') {
    reading.at++
    choices.push(readRow(reading))
  }
  if (choices.length === 1) return choices[0] ?? []
  const best = choices.map(mostTelling)
  return best.every((clause) => clause !== undefined) ? [best.flat()] : []
}

function readRow(reading: Reading): string[][] {
  const { atoms, shortest, isCaseless } = reading
  const clauses: string[][] = []
  let row = ''
  const end = () => {
    // Without regard to case RE2 takes `ſ` for s, which `fold` does not; it knows other pairs too.
    const pieces = isCaseless ? row.split(/[sS]|[^\x20-\x7e]/) : [row]
    for (const text of pieces) if (text.length >= shortest) clauses.push([fold(text)])
    row = ''
  }
  for (;;) {
    const atom = atoms[reading.at]
    if (atom === undefined || atom === '|' || atom === ')') break
    reading.at++
    const isGroup = atom.startsWith('(') && !atom.endsWith(')')
    const inner = isGroup ? readGroup(reading) : []
    const least = readLeast(reading)
    const literal = literalOf(atom)
    if (literal !== undefined && least === undefined) {
      row += literal
      continue
    }
    end()
    if (least !== 0) clauses.push(...inner)
  }
  end()
  return clauses
}

function readGroup(reading: Reading): string[][] {
  const inner = readChoices(reading)
  if (reading.atoms[reading.at] === ')') reading.at++
  return inner
}

/** How often at least, when a quantifier follows. */
function readLeast(reading: Reading): number | undefined {
  let least: number | undefined
  for (;;) {
    const atom = reading.atoms[reading.at]
    if (atom === undefined || !QUANTIFIER.test(atom)) return least
    reading.at++
    const count = atom === '+' ? 1 : Number.parseInt(atom.slice(1), 10) || 0
    least = Math.min(least ?? count, count)
  }
}

function mostTelling(clauses: string[][]): string[] | undefined {
  const shortest = (clause: string[]) => Math.min(...clause.map((text) => text.length))
  return clauses.toSorted((a, b) => shortest(b) - shortest(a))[0]
}

/** The one character an atom stands for. */
function literalOf(atom: string): string | undefined {
  if (/^\\[^A-Za-z0-9]$/.test(atom)) return atom.slice(1)
  return [...atom].length === 1 && !/[\\^$.*+?{}[\]()|]/.test(atom) ? atom : undefined
}
