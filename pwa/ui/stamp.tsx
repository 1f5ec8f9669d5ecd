import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Props = { tone?: 'ok' | 'bad' | 'carbon'; isLanding?: boolean; className?: string; children: ReactNode }

/** A fact someone decided: PAID, INVITE ONLY. One per card. For what changes automatically use a Badge. */
export const Stamp = ({ tone, isLanding, className, children }: Props) => (
  <span className={classNames('stamp', tone && `stamp--${tone}`, isLanding && 'stamp--land', className)}>
    {children}
  </span>
)
