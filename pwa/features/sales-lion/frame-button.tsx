import { lazy, Suspense } from 'react'
import { Button, type ButtonProps } from '#pwa/ui/button.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { useOpenedOnce } from '#pwa/ui/use-opened-once.ts'
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
  const { isOpen, wasOpened, open, close } = useOpenedOnce()
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
          <FrameDialog title={text.title} address={address} notSetUp={notSetUp} isOpen={isOpen} onClose={close} />
        </Suspense>
      )}
    </>
  )
}
