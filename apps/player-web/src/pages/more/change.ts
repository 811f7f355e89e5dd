import { api, attempt, box } from '../../here.ts'

/** Changes a setting. One that was not changed is drawn anew: the browser shows what was chosen. */
export async function change(name: string, body: object) {
  const isDone = await attempt(() => api.post(`/settings/${name}`, body))
  const settings = box.settings.value
  if (!isDone && settings) box.lay({ settings: { ...settings } })
}
