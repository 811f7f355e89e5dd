import { api, attempt, notices, say } from '../here.ts'

/** The box takes the time of this phone. */
export const setClock = () =>
  attempt(async () => {
    await api.post('/settings/time', { epoch: Math.round(Date.now() / 1000) })
    notices.done(say.value.t.clock.set)
  })
