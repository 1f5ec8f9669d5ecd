import type { ReactNode } from 'react'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'

type Props = { to: '/book-call' | '/catch-up'; look?: 'line' | 'ink'; hasSignal: boolean; children: ReactNode }

/** Leads to the times of a call. Without signal there are none to show. */
export const BookLink = ({ to, hasSignal, ...rest }: Props) =>
  hasSignal ? (
    <ButtonLink to={to} icon="arrow" {...rest} />
  ) : (
    <Button icon="nosignal" second="Needs signal" disabled {...rest} />
  )
