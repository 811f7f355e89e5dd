import { invalid } from '@manara/kit/errors'
import { weaknessOf } from '../../core/identity/weak-password.ts'

type Named = {
  username: string
  full_name?: string | null | undefined
  email?: string | null | undefined
}

/** Neither a password of the breached ones nor the names of its owner. */
export function refuseWeakPassword(field: string, password: string, owner: Named) {
  const { username, full_name, email } = owner
  const names = [username, ...(full_name ?? '').split(/\s+/), (email ?? '').split('@')[0] ?? '']
  const weakness = weaknessOf(
    password,
    names.filter((name) => name !== ''),
  )
  if (weakness) throw invalid(field, weakness)
}
