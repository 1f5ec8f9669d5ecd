import { type ReactNode, useState } from 'react'
import { PlaceIcon } from '#pwa/features/admin/kit/place-icon.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'

type Item = { label: string; onPress: () => void }

type Props = {
  /** Whose menu it is. */
  name: string
  /** Links, which leave the page. */
  children?: ReactNode
  /** What deletes comes last, and asks first. */
  items: readonly Item[]
}

/** A row's own menu, in words. */
export function RowMenu({ name, children, items }: Props) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className="iconbtn"
        aria-label={`More for ${name}`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        <PlaceIcon name="more" />
      </button>
      <Dialog isOpen={isOpen} onClose={() => setOpen(false)} title={name}>
        <div className="rowmenu">
          {children}
          {items.map(({ label, onPress }) => (
            <Button
              key={label}
              look="line"
              aria-label={label.includes(name) ? undefined : `${label}: ${name}`}
              onClick={() => {
                setOpen(false)
                onPress()
              }}
            >
              {label}
            </Button>
          ))}
        </div>
      </Dialog>
    </>
  )
}

/** A row's title that opens it in a dialog, as others are links to a page. */
export const RowTitle = ({ onOpen, children }: { onOpen: () => void; children: ReactNode }) => (
  <button type="button" className="link rowtitle" aria-haspopup="dialog" onClick={onOpen}>
    {children}
  </button>
)
