import type { MouseEvent, ReactNode } from 'react'
import { Button, ButtonAnchor, type ButtonLook } from '#pwa/ui/button.tsx'

type Props = { address: string; look?: ButtonLook; isWide?: boolean; children: ReactNode }

/** Opens the sales page in a small window; where that is blocked, or without JavaScript, in a normal tab. */
export const PopUpAnchor = ({ address, children, ...face }: Props) =>
  address ? (
    <ButtonAnchor {...face} icon="ext" href={address} target="_blank" rel="noreferrer" onClick={openSmall}>
      {children}
    </ButtonAnchor>
  ) : (
    <Button {...face} disabled second="Not set up yet">
      {children}
    </Button>
  )

const openSmall = (event: MouseEvent<HTMLAnchorElement>) => {
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  // With noopener a browser never says whether it opened one.
  const opened = window.open(event.currentTarget.href, '_blank', 'popup,width=800,height=600')
  if (!opened) return
  event.preventDefault()
  opened.opener = null
  opened.focus()
}
