import { Link } from '@tanstack/react-router'
import { type FocusEvent, type KeyboardEvent, useId, useState } from 'react'
import { Icon } from '#pwa/ui/icon.tsx'
import type { ShownLink } from './site-route.ts'

/** The dropdown of the desktop bar: opens on hover and at a press, closes on leaving, Escape or choosing. */
export const SoftwareMenu = ({ label, items }: { label: string; items: readonly ShownLink[] }) => {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const closeOnEscape = (event: KeyboardEvent) => event.key === 'Escape' && setOpen(false)
  const closeOnLeaving = (event: FocusEvent) => !event.currentTarget.contains(event.relatedTarget) && setOpen(false)
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same for keys and touch
    <div
      className="nav__drop"
      onPointerEnter={(event) => event.pointerType === 'mouse' && setOpen(true)}
      onPointerLeave={(event) => event.pointerType === 'mouse' && setOpen(false)}
      onKeyDown={closeOnEscape}
      onBlur={closeOnLeaving}
    >
      <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen((open) => !open)}>
        {label} <Icon name="chev" />
      </button>
      <ul id={id} className="drop plain" hidden={!isOpen}>
        {items.map(({ label: name, to }) => (
          <li key={to}>
            <Link to={to} onClick={() => setOpen(false)}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}
