import type { ReactNode } from 'react'
import { MemberLink } from '#pwa/features/admin/members/member-link.tsx'
import { Badge, type BadgeTone } from '#pwa/ui/badge.tsx'
import { TextAnchor, TextLink } from '#pwa/ui/link.tsx'
import type { PlaceTarget, Target } from './today-texts.ts'

type PartProps = {
  title: string
  /** Shown as a badge; `empty` is the text for none. */
  count: number
  tone: BadgeTone
  empty: string
  all?: ReactNode
  children?: ReactNode
}

export const DayPart = ({ title, count, tone, empty, all, children }: PartProps) => (
  <section className="day__part" aria-label={title}>
    <h3>
      {title} {count > 0 && <Badge tone={tone}>{count}</Badge>}
    </h3>
    {count === 0 ? <p className="second">{empty}</p> : children && <ul>{children}</ul>}
    {count > 0 && all && <p className="day__all">{all}</p>}
  </section>
)

type RowProps = { title: string; target: Target; phone?: string | null; aside?: ReactNode; children?: ReactNode }

export const DayRow = ({ title, target, phone, aside, children }: RowProps) => (
  <li>
    <div>
      {'memberId' in target ? (
        <MemberLink id={target.memberId}>{title}</MemberLink>
      ) : (
        <PlaceLink {...target}>{title}</PlaceLink>
      )}
      {children && <p className="second">{children}</p>}
    </div>
    {phone ? (
      <TextAnchor isTap href={`tel:${phone.replace(/[^\d+]/g, '')}`} aria-label={`Ring ${title}, ${phone}`}>
        {phone}
      </TextAnchor>
    ) : (
      aside && <span className="n">{aside}</span>
    )}
  </li>
)

type LinkProps = PlaceTarget & { children: ReactNode }

export const PlaceLink = ({ place, search = {}, children }: LinkProps) =>
  place === 'members' ? (
    <TextLink to="/admin" search={search}>
      {children}
    </TextLink>
  ) : (
    <TextLink to="/admin/$place" params={{ place }} search={search}>
      {children}
    </TextLink>
  )
