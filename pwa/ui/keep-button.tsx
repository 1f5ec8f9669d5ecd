import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { Button } from './button.tsx'

/** Tells the dialog around it whether it must stay open. */
export const HoldContext = createContext<(isHeld: boolean) => void>(() => {})

type Props = { isBusy: boolean; isSmall?: boolean; onClick: () => void; children: ReactNode }

/** Leaves things as they are. While `isBusy` they're being changed, so neither it, nor Escape, nor the cross says otherwise. */
export function KeepButton({ isBusy, isSmall, onClick, children }: Props) {
  const hold = useContext(HoldContext)
  useEffect(() => {
    hold(isBusy)
    return () => hold(false)
  }, [hold, isBusy])
  return (
    <Button look="line" isSmall={isSmall} disabled={isBusy} onClick={onClick}>
      {children}
    </Button>
  )
}
