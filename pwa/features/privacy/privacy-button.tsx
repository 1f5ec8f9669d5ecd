import { lazy, Suspense } from 'react'
import { useOpenedOnce } from '#pwa/ui/use-opened-once.ts'

const PrivacyDialog = lazy(() => import('./privacy-dialog.tsx'))

/** Opens what is measured, and the choice about it. */
export function PrivacyButton() {
  const { isOpen, wasOpened, open, close } = useOpenedOnce()
  return (
    <>
      <button className="foot__choice" type="button" aria-haspopup="dialog" onClick={open}>
        Privacy choices
      </button>
      {wasOpened && (
        <Suspense>
          <PrivacyDialog isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
