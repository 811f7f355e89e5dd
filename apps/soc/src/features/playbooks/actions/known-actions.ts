import type { KnownActions } from '../domain/check-playbook.ts'
import { type Action, type Actions, secretParamsOf } from './action.ts'
import { faultOfParams } from './action-params.ts'

/** What a playbook is checked against when it is saved. */
export const knownActions = (actions: Actions): KnownActions => ({
  names: Object.keys(actions),
  faultOfParams: (name, params) => faultOfParams(actions[name] as Action, params),
  secretParams: (name) => secretParamsOf(actions[name] as Action),
})
