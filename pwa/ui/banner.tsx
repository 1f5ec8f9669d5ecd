import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon } from './icon.tsx'
import type { IconName } from './icon-paths.ts'

type Tone = 'plain' | 'ok' | 'bad'

const toneIcon: Record<Tone, IconName> = { plain: 'sync', ok: 'tick', bad: 'warn' }

type Props = {
  tone?: Tone
  icon?: IconName
  title: ReactNode
  action?: ReactNode
  /** `alert` for a failure that just happened, `status` for other changes; none for what was there when the page opened. */
  role?: 'alert' | 'status'
  className?: string
  children?: ReactNode
}

export const Banner = ({ tone = 'plain', icon, title, action, role, className, children }: Props) => (
  <div className={classNames('banner', tone !== 'plain' && `banner--${tone}`, className)} role={role}>
    <Icon name={icon ?? toneIcon[tone]} />
    <div>
      <p className="banner__t">{title}</p>
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
    {action && <div className="acts">{action}</div>}
  </div>
)
