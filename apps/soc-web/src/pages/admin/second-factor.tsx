import { session } from '../../here.ts'
import { FactorsOfPeople } from './factors-of-people.tsx'
import { OwnFactors } from './own-factors.tsx'
import { RequiredRoles } from './required-roles.tsx'

/** One's own for everybody; those of others, and who needs one, for admins. */
export function SecondFactor() {
  const isAdmin = session.me.value?.role === 'admin'
  return (
    <div class="admin-parts">
      <OwnFactors />
      {isAdmin && <RequiredRoles />}
      {isAdmin && <FactorsOfPeople />}
    </div>
  )
}
