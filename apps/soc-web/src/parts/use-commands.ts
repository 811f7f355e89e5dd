import type { Command } from '@manara/ui/keys'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { commands } from '../here.ts'

/** The commands of what is on the page now; each run acts on what is shown then. */
export function useCommands(list: Command[]) {
  const latest = useRef(list)
  latest.current = list
  const names = list.map(({ id, keys, title }) => `${id} ${keys} ${title}`).join('\n')
  // Before anything is painted: who sees the page may use its keys.
  useLayoutEffect(
    () =>
      commands.add(
        latest.current.map((command) => ({
          ...command,
          run: () => latest.current.find(({ id }) => id === command.id)?.run(),
        })),
      ),
    [names],
  )
}
