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
    { name: 'prayer', description: 'Prayer times and the adhan' },
    { name: 'schedules', description: 'What happens at a time of day' },
    { name: 'settings', description: 'What the owner chose' },
    { name: 'system', description: 'The box itself' },
    { name: 'ota', description: 'Firmware updates' },
  ],
  securitySchemes: { deviceToken: { type: 'http', scheme: 'bearer' } },
  isPublic,
  errorField: 'error',
}
