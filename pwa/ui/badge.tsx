import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

export type BadgeTone = 'plain' | 'ok' | 'open' | 'bad' | 'wait'

type Props = { tone?: BadgeTone; icon?: IconName; className?: string; children: ReactNode }

/** A current status. `wait` is a hatch with a word, since waiting has no colour. */
export const Badge = ({ tone = 'plain', icon, className, children }: Props) => (
  <span className={classNames('badge', tone !== 'plain' && `badge--${tone}`, className)}>
    {icon && <Icon name={icon} />}
    {children}
  </span>
)
