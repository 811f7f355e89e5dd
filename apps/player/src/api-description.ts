import type { ApiDescription } from '@manara/kit/openapi'
import { isPublic } from './http/device-token.ts'

export const API: Omit<ApiDescription, 'version'> = {
  title: 'Manara player',
  description:
    'Commands are REST; state is pushed over the WebSocket at /ws as {event, data}. Every mutation needs the device token, which is printed on the console at first boot.',
  prefix: '/api',
  tags: [
    { name: 'playback', description: 'What plays, and what follows it' },
    { name: 'library', description: 'Reciters and surahs on the card' },
    { name: 'favorites', description: 'Favorites with play counts' },
    { name: 'radio', description: 'Saved stations' },
    { name: 'rfid', description: 'NFC cards and what a tap sets off' },
    { name: 'hifz', description: 'Learners, what is due for them, and how they did' },
    { name: 'prayer', description: 'Prayer times and the adhan' },
    { name: 'schedules', description: 'What happens at a time of day' },
    { name: 'settings', description: 'What the owner chose' },
    { name: 'system', description: 'The box itself' },
    { name: 'ota', description: 'Firmware updates' },
  ],
  securitySchemes: { deviceToken: { type: 'http', scheme: 'bearer' } },
  isPublic,
  errorField: 'error',
  errorsOf,
  errorWords: {
    401: 'The device token is missing or wrong',
    404: 'There is no such record',
    409: 'It contradicts what is there',
    500: 'Something of the box does not do its part: the message says what',
  },
}

/** What a name in the query stands for may not be on the card. */
const BY_NAME = /^\/api\/library\/(surahs|verses)$/
/** Where somebody else, or what is there already, may stand in the way. */
const CONTESTED = /^\/api\/(playback\/queue|hifz|library\/uploads)/
/** Without the card nobody knows whether it is there. */
const ONE_UPLOAD = '/api/library/uploads/:id'

function errorsOf({ method, url }: { method: string; url: string }): number[] {
  const isChange = method !== 'GET'
  return [
    400,
    ...(isPublic(method, url) ? [] : [401]),
    ...(url.includes(':') || BY_NAME.test(url) ? [404] : []),
    ...((isChange && CONTESTED.test(url)) || url === ONE_UPLOAD ? [409] : []),
    429,
    ...(isChange ? [500] : []),
  ]
}
