import type { Http } from '@manara/kit/http'
import { Battery } from '@manara/player-contract/battery'
import type { BatteryWatch } from './watch-battery.ts'

export function batteryRoutes(http: Http, battery: BatteryWatch) {
  http.get(
    '/battery',
    {
      schema: {
        tags: ['system'],
        summary: 'Charge of the battery; zeros without one',
        response: { 200: Battery },
      },
    },
    () => battery.look(),
  )
}
