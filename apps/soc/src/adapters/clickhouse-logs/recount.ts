import { BY_COUNTED, COUNTED, COUNTS } from './schema.ts'
import type { Server } from './server.ts'

/** A day without counts is read, whatever changes in it. */
export const forgetCounts = (server: Pick<Server, 'command'>, day: string) =>
  server.command(`ALTER TABLE ${COUNTS} DROP PARTITION '${day}'`)

/** Of a day to which no more events come. */
export async function recount(server: Pick<Server, 'command'>, day: string): Promise<void> {
  await forgetCounts(server, day)
  await server.command(
    `INSERT INTO ${COUNTS} ${COUNTED} WHERE received_day = '${day}' ${BY_COUNTED}`,
  )
}
