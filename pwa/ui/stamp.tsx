import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = { tone?: 'ok' | 'bad' | 'carbon'; isLanding?: boolean; className?: string; children: ReactNode }

/** A fact that someone decided: PAID, INVITE ONLY. One per card; for what changes by itself use a Badge. */
export const Stamp = ({ tone, isLanding, className, children }: Props) => (
  <span className={classNames('stamp', tone && `stamp--${tone}`, isLanding && 'stamp--land', className)}>
    {children}
  </span>
)
