import { type ReactNode, Suspense, useState } from 'react'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { ForHost } from './for-host.tsx'
import { MemberLink } from './members/member-link.tsx'
import { PhoneLink } from './phone-link.tsx'

export type PlaceTarget = { place: string; search?: Record<string, string> }
type Target = PlaceTarget | { memberId: string }

type PartProps = {
  title: string
  /** Shown as a badge. */
  count: number
  tone: BadgeTone
  /** The text for none. Without one, a part with nothing in it isn’t drawn. */
  empty?: string
  all?: ReactNode
  children?: ReactNode
}

export const DayPart = ({ title, count, tone, empty, all, children }: PartProps) =>
  (count > 0 || empty) && (
    <section className="day__part" aria-label={title}>
      <h3>
        {title} {count > 0 && <Badge tone={tone}>{count}</Badge>}
      </h3>
      {count === 0 ? <p className="second">{empty}</p> : children && <ul>{children}</ul>}
      {count > 0 && all && <p className="day__all">{all}</p>}
    </section>
  )

/** `dialog`: says what will happen, and does it. */
export type Act = { label: string; dialog: (close: () => void) => ReactNode }

type RowProps = {
  title: string
  target: Target
  phone?: string | null
  /** What can be done here and now, the likeliest first. */
  acts?: readonly Act[]
  aside?: ReactNode
  /** Technical details, for the host. */
  host?: ReactNode
  children?: ReactNode
}

export function DayRow({ title, target, phone, acts = [], aside, host, children }: RowProps) {
  const [open, setOpen] = useState<string | null>(null)
  const close = () => setOpen(null)
  return (
    <li className="day__row">
      <div>
        {'memberId' in target ? (
          <MemberLink id={target.memberId}>{title}</MemberLink>
        ) : (
          <PlaceLink {...target}>{title}</PlaceLink>
        )}
        {children && <p className="second">{children}</p>}
        {host && <ForHost>{host}</ForHost>}
      </div>
      {phone && <PhoneLink isTap phone={phone} of={title} />}
      {aside && <span className="n">{aside}</span>}
      {acts.length > 0 && (
        <span className="acts">
          {acts.map(({ label }) => (
            <Button
              key={label}
              isSmall
              look="line"
              aria-haspopup="dialog"
              aria-label={`${label}: ${title}`}
              onClick={() => setOpen(label)}
            >
              {label}
            </Button>
          ))}
        </span>
      )}
      <Suspense>{acts.find(({ label }) => label === open)?.dialog(close)}</Suspense>
    </li>
  )
}

type LinkProps = PlaceTarget & { children: ReactNode }

export const PlaceLink = ({ place, search = {}, children }: LinkProps) => (
  <TextLink to="/admin/$place" params={{ place }} search={search}>
    {children}
  </TextLink>
)
