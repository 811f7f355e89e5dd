const NAMES: Record<string, string> = {
  mod: /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl',
  Enter: '⏎',
  Escape: 'esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
}

/** A key as it is printed: on buttons, in the palette and in the sheet of keys. */
export const Key = ({ keys }: { keys: string }) => (
  <span aria-hidden="true">
    <kbd>
      {keys
        .split(' ')
        .map((one) =>
          one
            .split('+')
            .map((part) => NAMES[part] ?? part)
            .join(' '),
        )
        .join(' ')}
    </kbd>
  </span>
)
