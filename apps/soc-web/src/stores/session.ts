import type { Permission } from '@manara/soc-contract/permissions'
import type { RuntimeTruth } from '@manara/soc-contract/system'
import type { Profile } from '@manara/soc-contract/users'
import { computed, signal } from '@preact/signals'
import type { Api } from './api.ts'

/** Who is signed in, what they may do, and what the service may do now. */
export function createSession(api: Pick<Api, 'get'>) {
  const me = signal<Profile | null>(null)
  const truth = signal<RuntimeTruth | null>(null)
  const permissions = computed(() => new Set<string>(me.value?.permissions ?? []))

  /** Known before any page is: where nothing can be read nothing is asked for. */
  async function refreshMode() {
    truth.value = await api.get<RuntimeTruth>('/system/mode')
  }

  return {
    me,
    truth,
    refreshMode,
    async start() {
      const [profile] = await Promise.all([api.get<Profile>('/users/me'), refreshMode()])
      me.value = profile
    },
    may: (permission: Permission) => permissions.value.has(permission),
    /** Reads come from the database or from the showcase. */
    canRead: computed(() => truth.value !== null && truth.value.read_data_source !== 'unavailable'),
    canChange: computed(() => truth.value?.is_mutations_allowed ?? false),
  }
}
