import { Link } from '@tanstack/react-router'
import { type ReactNode, useCallback, useId, useRef, useState } from 'react'
import { Icon } from '#pwa/ui/icon.tsx'
import type { ShownEntry, ShownLink, SiteRoute } from './site-route.ts'
import { useEscape } from './use-escape.ts'

type Props = { entries: readonly ShownEntry[]; joinTo: SiteRoute | undefined }

/** The menu on a phone: everything in one list, closed by choosing or Escape. */
export function PhoneMenu({ entries, joinTo }: Props) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = useCallback(() => setOpen(false), [])
  useEscape(isOpen, { root, button, close })
  return (
    <div ref={root} className="nav__phone">
      <button
        ref={button}
        className="nav__menu"
        type="button"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen((open) => !open)}
      >
        <Icon name={isOpen ? 'cross' : 'menu'} /> Menu
      </button>
      <div id={id} className="menu" hidden={!isOpen}>
        <ul>
          {entries.map((entry) => (
            <PhoneEntry key={entry.label} entry={entry} onChoose={close} />
          ))}
          {joinTo && (
            <li>
              <Link className="menu__cta" to={joinTo} onClick={close}>
                JOIN THE MOVEMENT
              </Link>
            </li>
          )}
        </ul>
      </div>
    </div>
  )
}

const PhoneEntry = ({ entry, onChoose }: { entry: ShownEntry; onChoose: () => void }): ReactNode =>
  'items' in entry ? (
    <li>
      <p className="label">{entry.label}</p>
      <ul>
        {entry.items.map((item) => (
          <PhoneLink key={item.to} item={item} onChoose={onChoose} />
        ))}
      </ul>
    </li>
  ) : (
    <PhoneLink item={entry} onChoose={onChoose} />
  )

const PhoneLink = ({ item, onChoose }: { item: ShownLink; onChoose: () => void }) => (
  <li>
    <Link to={item.to} activeOptions={{ exact: item.to === '/', includeSearch: false }} onClick={onChoose}>
      {item.label}
    </Link>
  </li>
)
