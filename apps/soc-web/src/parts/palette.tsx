import type { Command } from '@manara/ui/keys'
import { signal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { commands, say } from '../here.ts'
import { Key } from './key.tsx'

const isOpen = signal(false)
const typed = signal('')
const chosen = signal(0)

export function openPalette() {
  ;[typed.value, chosen.value, isOpen.value] = ['', 0, true]
}

/** Every word that was typed is in the title, in any order. */
function matching(all: Command[], text: string): Command[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const seen = new Set<string>()
  return all.filter(({ id, title, isQuiet }) => {
    if (isQuiet || seen.has(id)) return false
    seen.add(id)
    return words.every((word) => title.toLowerCase().includes(word))
  })
}

export const Palette = () => (isOpen.value ? <Open /> : null)

function Open() {
  const { t } = say.value
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  // What the page offers comes before what is everywhere.
  const found = matching(commands.all.value.toReversed(), typed.value)
  const at = Math.min(chosen.value, Math.max(0, found.length - 1))
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    // Closed before it is taken away, so that the focus goes back to where it came from.
    return () => element?.close()
  }, [])
  const close = () => {
    isOpen.value = false
  }
  function run(command: Command | undefined) {
    if (!command) return
    close()
    // After the dialog is gone, so that a command may open one of its own.
    queueMicrotask(command.run)
  }
  function key(event: KeyboardEvent) {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step) {
      event.preventDefault()
      chosen.value = (at + step + found.length) % Math.max(1, found.length)
    } else if (event.key === 'Enter') {
      event.preventDefault()
      run(found[at])
    }
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog by itself
    <dialog
      ref={dialog}
      class="palette"
      aria-label={t.commands}
      onCancel={(event) => {
        event.preventDefault()
        close()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) close()
      }}
    >
      <input
        type="text"
        role="combobox"
        aria-label={t.commandsHint}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found[at] && `${id}-${at}`}
        placeholder={t.commandsHint}
        autocomplete="off"
        spellcheck={false}
        value={typed.value}
        onInput={({ currentTarget }) => {
          typed.value = currentTarget.value
          chosen.value = 0
        }}
        onKeyDown={key}
      />
      <div id={id} class="palette-list" role="listbox" aria-label={t.commands}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the arrow keys of the field move here
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            ref={(element) => {
              if (index === at) element?.scrollIntoView({ block: 'nearest' })
            }}
            onClick={() => run(command)}
          >
            {command.title}
            {command.keys && <Key keys={command.keys} />}
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="soft">{t.noCommand}</p>}
    </dialog>
  )
}
