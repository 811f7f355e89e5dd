import { type ComponentChildren, Fragment, options } from 'preact'
import { asSeen } from './as-seen.ts'

/** On what repeats to the letter, sign below sign, what stands in a field. */
export const AS_TYPED = { 'data-as-typed': true }

/** Any text of a page may be an attacker's: each is shown with the signs in it that are not seen. */
export function showUnseen() {
  const next = options.vnode
  options.vnode = (vnode) => {
    const { type, props } = vnode
    if (typeof type === 'string' || type === Fragment) showIn(props)
    next?.(vnode)
  }
}

function showIn(props: { children?: ComponentChildren; title?: unknown; 'data-as-typed'?: true }) {
  if (props['data-as-typed']) return
  if (props.children !== undefined) props.children = seen(props.children)
  if (typeof props.title === 'string') props.title = asSeen(props.title)
}

function seen(children: ComponentChildren): ComponentChildren {
  if (typeof children === 'string') return asSeen(children)
  return Array.isArray(children) ? children.map(seen) : children
}
