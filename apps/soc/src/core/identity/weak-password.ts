import { dictionary } from '@zxcvbn-ts/language-common'

const COMMON = new Set(dictionary['passwords-common'])
const OWN_NAMES = ['manara', 'player', 'security']
/** As they lie on keyboards and in alphabets: any run of eight along one of these is no secret. */
const ROWS = ['abcdefghijklmnopqrstuvwxyz', '01234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

/**
 * Why a password is among the first that somebody tries, or nothing. The list is the 49,000 most
 * used of published breaches that zxcvbn ships (MIT); nothing is asked over the network.
 */
export function weaknessOf(password: string, names: string[] = []): string | undefined {
  const folded = password.normalize('NFKC').toLowerCase()
  if (COMMON.has(folded)) return 'is among the most used of breached passwords: choose another'
  if (new Set(folded).size < 4) return 'repeats a few characters: choose another'
  if (isRun(folded)) return 'follows the keyboard or the alphabet: choose another'
  // `Leila2026!` is the name with what everybody puts after it.
  const core = folded.replace(/[^\p{L}]+$/u, '')
  const isName = [...names, ...OWN_NAMES].some((name) => core === name.toLowerCase())
  return isName ? 'is a name that others know: choose another' : undefined
}

const isRun = (text: string) =>
  ROWS.some((row) => {
    const twice = row + row
    return twice.includes(text) || [...twice].reverse().join('').includes(text)
  })
