import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** What mpv knows of a file, where the card under it has died. */
const KNOWN = { 'audio-params': {}, aid: 1, 'current-ao': 'null', duration: 20 }

type Wedge = {
  /** What else it knows. */
  known?: object
  /** Nothing has arrived when it is first asked how much has; then it tells these, and knows of more. */
  starved?: object[]
  /** Whoever follows it is no better. */
  isFinal?: boolean
}

/**
 * A program that is started as mpv: the first time one that answers whatever it is asked, tells these
 * events of the first file and plays nothing, as one does that waits for a dead card; then mpv itself.
 */
export async function wedgedMpv(
  folder: string,
  events: object[],
  { known = {}, starved, isFinal = false }: Wedge = {},
): Promise<string> {
  const wedged = join(folder, 'wedged.mjs')
  await writeFile(
    wedged,
    `import { Socket } from 'node:net'
import { createInterface } from 'node:readline'
const known = ${JSON.stringify({ ...KNOWN, ...known })}
let starved = ${JSON.stringify(starved)}
const socket = new Socket({ fd: 3 })
const say = (message) => socket.write(JSON.stringify(message) + '\\n')
for await (const line of createInterface({ input: socket })) {
  const { request_id, command } = JSON.parse(line)
  const isLoad = command.name === 'loadfile'
  const data = isLoad ? { playlist_entry_id: 1 } : (known[command[1]] ?? null)
  const back = command[1] === 'demuxer-cache-duration' ? starved : undefined
  say({ request_id, error: 'success', data: back ? 0 : data })
  if (back) starved = undefined
  for (const event of back ?? []) say(event)
  if (isLoad) for (const event of ${JSON.stringify(events)}) say(event)
}
`,
  )
  const program = join(folder, 'mpv')
  const script = `#!/bin/sh
if ${isFinal} || mkdir ${folder}/once 2>/dev/null; then exec ${process.execPath} ${wedged}; fi
exec mpv "$@"
`
  await writeFile(program, script, { mode: 0o755 })
  return program
}
