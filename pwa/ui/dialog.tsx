import { type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { IconButton } from './button.tsx'
import { classNames } from './class-names.ts'
import { HoldContext } from './keep-button.tsx'
import './styles/dialog.css'

/** A keyboard starts in the first field if that's typed into. On a touch screen it would cover half of the form. */
function focusFirstField(box: HTMLDialogElement | null): void {
  const field = box?.querySelector<HTMLElement>('.body :is(input, textarea, select):not([type=hidden], :disabled)')
  const isTyped = field?.matches('input:not([type=checkbox], [type=radio], [type=file]), textarea')
  if (isTyped && !matchMedia('(pointer: coarse)').matches) field?.focus()
}

/** Less than any keyboard, more than a browser's own bar. */
const leastKeyboard = 120

/**
 * A phone's keyboard lies over the page, and so over a box in its middle; only the visual viewport knows. The box moves into what's
 * left to see, and scrolls. Nothing is done for someone who has zoomed in.
 */
function stayAboveKeyboard(box: HTMLDialogElement): () => void {
  const seen = window.visualViewport
  const fit = () => {
    if (!seen) return
    const isCovered = seen.scale < 1.05 && document.documentElement.clientHeight - seen.height > leastKeyboard
    box.style.insetBlock = isCovered ? `${seen.offsetTop}px auto` : ''
    box.style.marginBlock = isCovered ? '0' : ''
    box.style.maxHeight = isCovered ? `${seen.height}px` : ''
    if (isCovered && box.contains(document.activeElement)) document.activeElement?.scrollIntoView({ block: 'nearest' })
  }
  const events = ['resize', 'scroll'] as const
  for (const name of events) seen?.addEventListener(name, fit)
  return () => {
    for (const name of events) seen?.removeEventListener(name, fit)
  }
}

type Props = {
  isOpen: boolean
  onClose: () => void
  title: ReactNode
  /** Buttons; the destructive one first, "Keep" second. */
  footer?: ReactNode
  children?: ReactNode
  /** For calendars and players. */
  isWide?: boolean
}

/** A modal dialog on the browser's own element: Escape and the cross call `onClose`. */
export function Dialog({ isOpen, onClose, title, footer, children, isWide }: Props) {
  const box = useRef<HTMLDialogElement>(null)
  const id = useId()
  const [isHeld, setHeld] = useState(false)
  // Closing it returns the focus. Removing it while it's open wouldn't, so we close it first.
  useEffect(() => {
    const opener = document.activeElement
    return () => {
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  useEffect(() => {
    if (isOpen && !box.current?.open) {
      box.current?.showModal()
      focusFirstField(box.current)
    }
    if (!isOpen && box.current?.open) box.current.close()
    return isOpen && box.current ? stayAboveKeyboard(box.current) : undefined
  }, [isOpen])
  return (
    <dialog
      ref={box}
      className={classNames('dialog', isWide && 'dialog--wide')}
      aria-labelledby={id}
      // Some browsers ask only once before Escape, or a phone's back, closes it all the same.
      onKeyDown={(event) => isHeld && event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => isHeld && event.preventDefault()}
      onClose={() => (isOpen && isHeld ? box.current?.showModal() : onClose())}
    >
      {isOpen && (
        <HoldContext value={setHeld}>
          <header>
            <h2 id={id}>{title}</h2>
            <IconButton icon="cross" label="Close" disabled={isHeld} onClick={onClose} />
          </header>
          {children && <div className="body">{children}</div>}
          {footer && <footer>{footer}</footer>}
        </HoldContext>
      )}
    </dialog>
  )
}
