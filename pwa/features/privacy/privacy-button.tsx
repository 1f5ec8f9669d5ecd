import { lazy, Suspense, useState } from 'react'

const PrivacyDialog = lazy(() => import('./privacy-dialog.tsx'))

/** Opens what is measured, and the choice about it. */
export const PrivacyButton = () => {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const open = () => {
    setOpened(true)
    setOpen(true)
  }
  return (
    <>
      <button className="foot__choice" type="button" aria-haspopup="dialog" onClick={open}>
        Privacy choices
      </button>
      {wasOpened && (
        <Suspense>
          <PrivacyDialog isOpen={isOpen} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
