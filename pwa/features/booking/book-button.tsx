import { lazy, Suspense } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useSiteContent } from '#pwa/lib/site-content.tsx'
import { Button, ButtonLink, type ButtonProps } from '#pwa/ui/button.tsx'
import { useOpenedOnce } from '#pwa/ui/use-opened-once.ts'

const BookingDialog = lazy(() => loadFile(() => import('./booking-dialog.tsx')))

type Props = Pick<ButtonProps, 'look' | 'icon' | 'isSmall' | 'isWide' | 'second' | 'children' | 'className'> & {
  title?: string
}

/** A button that opens the booking calendar, which loads at the first press. Without a calendar it's a link to the form. */
export function BookButton({ title = 'Book a free call', ...button }: Props) {
  const { links, calls } = useSiteContent()
  const { isOpen, wasOpened, open, close } = useOpenedOnce()
  if (!links.booking && !calls.consultation) return <ButtonLink {...button} to="/book-coaching-call" />
  return (
    <>
      <Button {...button} onClick={open} aria-haspopup="dialog" />
      <noscript>
        <p className="second">Booking needs JavaScript. You can also message a coach: see the bottom of the page.</p>
      </noscript>
      {wasOpened && (
        <Suspense>
          <BookingDialog title={title} isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
