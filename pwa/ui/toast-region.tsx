import { Toast } from 'radix-ui'
import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { Button, IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'
import './styles/toast.css'

export type ToastTone = 'plain' | 'ok' | 'bad'

export type ToastMessage = {
  title: ReactNode
  description?: ReactNode
  tone?: ToastTone
  /** In milliseconds; 5000 by default. */
  duration?: number
  /** `hint`: for a screen reader, where else it can be done. */
  action?: { label: string; hint: string; onPress: () => void }
}

/** `pressed` is what was last pressed before it. */
export type ShownToast = ToastMessage & { id: number; pressed: EventTarget | null }

const toneIcon: Record<ToastTone, IconName> = { plain: 'info', ok: 'tick', bad: 'warn' }

/** The notification area: one message, F8 focuses it, a swipe of 50 to the right dismisses it. */
function ToastRegion({ shown }: { shown: ShownToast }) {
  const dialog = useSyncExternalStore(watchDialogs, topDialog)
  const host = useHost(dialog)
  return createPortal(
    <Toast.Provider
      swipeDirection="right"
      swipeThreshold={50}
      duration={5000}
      label="Notification"
      announcerContainer={host}
    >
      <OneToast key={shown.id} shown={shown} dialog={dialog} />
      <Toast.Viewport className="toasts" hotkey={['F8']} />
    </Toast.Provider>,
    host,
  )
}

/** The last one in the page is on top: whatever opens another stands before it. */
const topDialog = () => [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1)

function watchDialogs(onChange: () => void): () => void {
  const changes = new MutationObserver(onChange)
  changes.observe(document.body, { subtree: true, childList: true, attributeFilter: ['open'] })
  return () => changes.disconnect()
}

/**
 * Stands within the dialog on top, or else in the page: all outside an open dialog is inert, unseen and unheard. It’s moved, not
 * made again, so a message’s time goes on.
 */
function useHost(dialog: HTMLDialogElement | undefined): HTMLElement {
  const [host] = useState(() => document.createElement('div'))
  useLayoutEffect(() => {
    const place = dialog ?? document.body
    place.append(host)
    return () => host.remove()
  }, [host, dialog])
  return host
}

/**
 * A message has one place, at the lower edge. What else stands there moves up, and what was pressed or went wrong is scrolled out from
 * under it.
 */
function useRoom(pressed: EventTarget | null, dialog: Element | undefined) {
  const [toast, setToast] = useState<HTMLElement | null>(null)
  useLayoutEffect(() => {
    if (toast === null) return
    const measure = () =>
      document.documentElement.style.setProperty('--toast-measured', `${toast.getBoundingClientRect().height}px`)
    const clearUp = () => clear(toast, pressed)
    measure()
    // Rows that come into sight by it may have another height than was thought.
    let frame = requestAnimationFrame(() => {
      clearUp()
      frame = requestAnimationFrame(clearUp)
    })
    // A dialog grows as what it's for arrives.
    const growth = dialog && new ResizeObserver(clearUp)
    if (dialog) growth?.observe(dialog)
    addEventListener('resize', measure)
    return () => {
      growth?.disconnect()
      cancelAnimationFrame(frame)
      removeEventListener('resize', measure)
    }
  }, [toast, pressed, dialog])
  return setToast
}

const wrong = '[role=alert], .banner--bad, [aria-invalid=true]'

/** Only for what's under the message and fits above it: for anything else the page stays where it is. */
function clear(toast: HTMLElement, pressed: EventTarget | null): void {
  const { top, bottom, left, right } = toast.getBoundingClientRect()
  const dialog = toast.closest('dialog')
  if (dialog && dialog.getBoundingClientRect().bottom > top) dialog.classList.add('dialog--above')
  const row = pressed instanceof Element ? (pressed.closest('li, tr') ?? pressed) : null
  for (const one of [row, document.activeElement, ...document.querySelectorAll(wrong)]) {
    const box = one?.getBoundingClientRect()
    const isUnder = box && box.bottom > top && box.top < bottom && box.right > left && box.left < right
    if (isUnder && box.height < top) one?.scrollIntoView({ block: 'nearest', behavior: 'instant' })
  }
}

type OneProps = { shown: ShownToast; dialog: Element | undefined }

function OneToast({ shown: { title, description, tone = 'plain', duration, action, pressed }, dialog }: OneProps) {
  const [isOpen, setOpen] = useState(true)
  const attach = useRoom(pressed, dialog)
  return (
    <Toast.Root
      ref={attach}
      className={classNames('toast', tone !== 'plain' && `toast--${tone}`)}
      open={isOpen}
      onOpenChange={setOpen}
      duration={duration}
    >
      <Icon name={toneIcon[tone]} />
      <div>
        <Toast.Title asChild>
          <b>{title}</b>
        </Toast.Title>
        {description && (
          <Toast.Description asChild>
            <p>{description}</p>
          </Toast.Description>
        )}
      </div>
      {action && (
        <Toast.Action asChild altText={action.hint}>
          <Button className="toast__act" isSmall look="hivis" onClick={action.onPress}>
            {action.label}
          </Button>
        </Toast.Action>
      )}
      <Toast.Close asChild>
        <IconButton icon="cross" label="Hide this notice" />
      </Toast.Close>
    </Toast.Root>
  )
}

export default ToastRegion
