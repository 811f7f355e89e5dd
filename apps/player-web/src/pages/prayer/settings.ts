import { api, attempt, box } from '../../here.ts'
import { createPrayerSettings } from '../../stores/prayer-settings.ts'

export const settings = createPrayerSettings({ box, api, attempt })
