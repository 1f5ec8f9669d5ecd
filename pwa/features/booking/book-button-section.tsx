import { lazy, Suspense } from 'react'
import { Button, type ButtonProps } from '#pwa/ui/button.tsx'
import { useOpenedOnce } from '#pwa/ui/use-opened-once.ts'

const BookingDialog = lazy(() => import('./booking-dialog.tsx'))

/** A button that opens the booking calendar, which is loaded with the first press. */
export function BookButton({ title = 'Book a free call', ...button }: ButtonProps & { title?: string }) {
  const { isOpen, wasOpened, open, close } = useOpenedOnce()
  return (
    <>
      <Button {...button} onClick={open} aria-haspopup="dialog" />
      <noscript>
        <p className="second">Booking needs JavaScript. The coaches’ numbers are at the foot of the page.</p>
      </noscript>
      {wasOpened && (
        <Suspense>
          <BookingDialog title={title} isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
