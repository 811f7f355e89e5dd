import { hash, verify } from '@node-rs/argon2'

// OWASP's password storage cheat sheet, argon2id (the library's default): 19 MiB, two passes, one lane.
const ARGON2ID = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = (password: string): Promise<string> => hash(password, ARGON2ID)

let nobody: Promise<string> | undefined

/** Takes as long for a user that does not exist: names cannot be told by the time of the answer. */
export async function isPassword(passwordHash: string | undefined, password: string) {
  nobody ??= hashPassword('nobody has this password')
  const isRight = await verify(passwordHash ?? (await nobody), password)
  return isRight && passwordHash !== undefined
}
