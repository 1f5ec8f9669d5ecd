import { lazy, Suspense, useState } from 'react'
import { Button, type ButtonProps } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { SalesLionText } from '#shared/contract/texts/sales-lion.ts'

const FrameDialog = lazy(() => import('./frame-dialog.tsx'))

type Props = Pick<ButtonProps, 'look' | 'icon'> & {
  text: SalesLionText['call']
  /** Empty: not configured. */
  address: string
  notSetUp: string
}

/** A button that opens a page of the sales platform in a dialog. */
export const FrameButton = ({ text, address, notSetUp, ...face }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const [wasOpened, setOpened] = useState(false)
  const open = () => {
    setOpened(true)
    setOpen(true)
  }
  return (
    <>
      <Button {...face} second={text.second} onClick={open} aria-haspopup="dialog">
        {text.button}
      </Button>
      {address && (
        <noscript>
          <TextAnchor href={address}>{text.title}</TextAnchor>
        </noscript>
      )}
      {wasOpened && (
        <Suspense>
          <FrameDialog
            title={text.title}
            address={address}
            notSetUp={notSetUp}
            isOpen={isOpen}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
