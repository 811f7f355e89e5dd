import { createFairTurns } from '@manara/kit/fair-turns'
import { hash, verify } from '@node-rs/argon2'

// OWASP's password storage cheat sheet, argon2id (the library's default): 19 MiB, two passes, one lane.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2ID)

/** Checked by half of the threads that files and names are looked up with. */
const turns = createFairTurns({
  ...{ atOnce: 2, each: 100 },
  tooMuch: 'too many sign-ins at once: try again in a moment',
})

let nobody: Promise<string> | undefined

/**
 * Takes as long for a user that does not exist: names cannot be told by the time of the answer.
 * All strangers together are one in the circle, so that a flood of them keeps no known place waiting.
 */
export async function isPassword(
  passwordHash: string | undefined,
  password: string,
  who = 'strangers',
) {
  nobody ??= hashPassword('nobody has this password')
  const expected = passwordHash ?? (await nobody)
  const isRight = await turns.run(who, () => verify(expected, password))
  return isRight && passwordHash !== undefined
}
