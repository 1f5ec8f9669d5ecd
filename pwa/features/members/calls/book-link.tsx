import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'

type Props = { place: 'book-call' | 'catch-up'; look?: 'line' | 'ink'; hasSignal: boolean; children: ReactNode }

/** Leads to the times of a call. Without signal there are none to show. */
export const BookLink = ({ place, hasSignal, ...rest }: Props) =>
  hasSignal ? (
    <ButtonLink to="/members/$place" params={{ place }} icon="arrow" {...rest} />
  ) : (
    <Button icon="nosignal" second="Needs signal" disabled {...rest} />
  )
