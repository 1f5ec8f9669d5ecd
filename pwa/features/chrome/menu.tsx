import { Link } from '@tanstack/react-router'
import {
  type FocusEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import type { SiteEntry, SiteLink, SiteRoute } from '#pwa/lib/site-content.tsx'
import { deviceStorage, ownPagesKey } from '#pwa/lib/storage.ts'
import { Icon } from '#pwa/ui/icon.tsx'

const OwnPages = lazyExtra(() => import('./own-pages.tsx'))

/** The dropdown of the desktop bar: opens on hover and on a press, closes on leaving, Escape or choosing. */
export function DropdownMenu({ label, items }: { label: string; items: readonly SiteLink[] }) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const isUnderMouse = useRef(false)
  const id = useId()
  const close = useCallback(() => setOpen(false), [])
  useAsItStands(button, setOpen)
  // The mouse may have been there before the app was.
  useLayoutEffect(() => {
    if (!root.current?.matches(':hover') || !window.matchMedia('(hover: hover)').matches) return
    isUnderMouse.current = true
    setOpen(true)
  }, [])
  useEscape(isOpen, { root, button, close })
  const followMouse = (event: PointerEvent, isOver: boolean) => {
    if (event.pointerType !== 'mouse') return
    isUnderMouse.current = isOver
    setOpen(isOver)
  }
  /** Hovering has opened the menu, so the click that follows doesn't close it. A key press has no `detail`. */
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

type Props = { entries: readonly SiteEntry[]; joinTo: SiteRoute | undefined }

export function PhoneMenu({ entries, joinTo }: Props) {
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const id = useId()
  const close = useCallback(() => setOpen(false), [])
  useAsItStands(button, setOpen)
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: of the links inside, for keys too */}
      <div
        id={id}
        className="menu"
        hidden={!isOpen}
        onClick={({ target }) => target instanceof Element && target.closest('a') && close()}
      >
        <Suspense>
          <ul>
            {isOpen && deviceStorage.getItem(ownPagesKey) && <OwnPages />}
            {entries.map((entry) => (
              <PhoneEntry key={entry.label} entry={entry} />
            ))}
            {joinTo && (
              <li>
                <Link className="menu__cta" to={joinTo}>
                  JOIN THE MOVEMENT
                </Link>
              </li>
            )}
          </ul>
        </Suspense>
      </div>
    </div>
  )
}

const PhoneEntry = ({ entry }: { entry: SiteEntry }): ReactNode =>
  'items' in entry ? (
    <li>
      <p className="label">{entry.label}</p>
      <ul>
        {entry.items.map((item) => (
          <PhoneLink key={item.to} item={item} />
        ))}
      </ul>
    </li>
  ) : (
    <PhoneLink item={entry} />
  )

const PhoneLink = ({ item }: { item: SiteLink }) => (
  <li>
    <Link to={item.to} activeOptions={{ exact: item.to === '/', includeSearch: false }}>
      {item.label}
    </Link>
  </li>
)

/** The page's own script (`pwa/inline/menus.ts`) may have opened it before the app was there. */
const useAsItStands = (button: RefObject<HTMLElement | null>, setOpen: (isOpen: boolean) => void) =>
  useLayoutEffect(() => {
    if (button.current?.getAttribute('aria-expanded') === 'true') setOpen(true)
  }, [button, setOpen])

type Menu = { root: RefObject<HTMLElement | null>; button: RefObject<HTMLElement | null>; close: () => void }

/** Escape closes an open menu wherever the focus is; a focus inside the menu goes back to its button. */
function useEscape(isOpen: boolean, { root, button, close }: Menu) {
  useEffect(() => {
    if (!isOpen) return
    const closeOnEscape = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      if (root.current?.contains(document.activeElement)) button.current?.focus()
      close()
    }
    document.addEventListener('keydown', closeOnEscape)
    return () => document.removeEventListener('keydown', closeOnEscape)
  }, [isOpen, root, button, close])
}
