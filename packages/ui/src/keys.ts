import { computed, signal } from '@preact/signals'

export type Command = {
  id: string
  title: string
  /** In the palette and the sheet of keys. */
  group: string
  /** `j`, `shift+j`, `mod+k`, or two after another: `g a`. */
  keys?: string
  /** Further keys for the same, not printed. */
  alsoKeys?: string[]
  /** Not in the palette: moving about is done by key alone, which may be held for it. */
  isQuiet?: boolean
  run(): void
}

export type KeyPress = Pick<
  KeyboardEvent,
  | 'key'
  | 'ctrlKey'
  | 'metaKey'
  | 'altKey'
  | 'shiftKey'
  | 'repeat'
  | 'isComposing'
  | 'preventDefault'
> & { target: unknown }

const SECOND_KEY_MS = 1_200

/** One registry feeds the palette, the sheet of keys, the buttons and the keyboard. */
export function createCommands(deps: {
  now(): number
  isTyping(target: unknown): boolean
  isCovered(): boolean
}) {
  const sets = signal<{ commands: Command[] }[]>([])
  const all = computed(() => sets.value.flatMap(({ commands }) => commands))
  let first = { key: '', at: Number.NEGATIVE_INFINITY }

  function find(keys: string): Command | undefined {
    // What was added last stands in front: a page's own keys come before those of the frame.
    return all.value.findLast((one) => one.keys === keys || one.alsoKeys?.includes(keys))
  }

  return {
    all,
    find: (id: string) => all.value.find((one) => one.id === id),
    /** Adds commands until what it answers is called. */
    add(commands: Command[]): () => void {
      const set = { commands }
      sets.value = [...sets.value, set]
      return () => {
        sets.value = sets.value.filter((one) => one !== set)
      }
    },
    hear(press: KeyPress) {
      const isMod = press.ctrlKey || press.metaKey
      if (press.isComposing || press.altKey) return
      if (!isMod && (deps.isTyping(press.target) || deps.isCovered())) return
      const name = nameOf(press)
      const now = deps.now()
      const pair = now - first.at < SECOND_KEY_MS ? find(`${first.key} ${name}`) : undefined
      first = { key: name, at: now }
      const command = pair ?? find(name)
      if (!command) return
      press.preventDefault()
      // A key that is held moves on; what it changes, it changes once.
      if (!press.repeat || command.isQuiet) command.run()
    },
  }
}
export type Commands = ReturnType<typeof createCommands>

function nameOf({ key, ctrlKey, metaKey, shiftKey }: KeyPress): string {
  const mod = ctrlKey || metaKey ? 'mod+' : ''
  // Shift is part of a letter's or a sign's own name: `?` is `?`.
  const shift = shiftKey && key.length > 1 ? 'shift+' : ''
  const name = key.length === 1 && mod ? key.toLowerCase() : key
  return `${mod}${shift}${name}`
}
