import { Link } from '@tanstack/react-router'
import { type FocusEvent, type MouseEvent, type PointerEvent, useCallback, useId, useRef, useState } from 'react'
import { Icon } from '#pwa/ui/icon.tsx'
import type { ShownLink } from './site-route.ts'
import { useEscape } from './use-escape.ts'

/** The dropdown of the desktop bar: opens on hover and at a press, closes on leaving, Escape or choosing. */
export function SoftwareMenu({ label, items }: { label: string; items: readonly ShownLink[] }) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isUnderMouse = useRef(false)
  const id = useId()
  const close = useCallback(() => setOpen(false), [])
  useEscape(isOpen, { root, button, close })
  const followMouse = (event: PointerEvent, isOver: boolean) => {
    if (event.pointerType !== 'mouse') return
    isUnderMouse.current = isOver
    setOpen(isOver)
  }
  /** The mouse has opened it by coming here, so its click does not close it; a press of a key has no `detail`. */
  const press = ({ detail }: MouseEvent) => setOpen((open) => !open || (isUnderMouse.current && detail > 0))
  const closeOnLeaving = (event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keys and touch
    <div
      ref={root}
      className="nav__drop"
      onPointerEnter={(event) => followMouse(event, true)}
      onPointerLeave={(event) => followMouse(event, false)}
      onBlur={closeOnLeaving}
    >
      <button ref={button} type="button" aria-expanded={isOpen} aria-controls={id} onClick={press}>
        {label} <Icon name="chev" />
      </button>
      <ul id={id} className="drop plain" hidden={!isOpen}>
        {items.map(({ label: name, to }) => (
          <li key={to}>
            <Link to={to} onClick={close}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
