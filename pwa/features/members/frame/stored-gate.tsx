import type { ComponentType } from 'react'
import { useStable } from '#pwa/features/members/stored/use-member-data.ts'
import { type StoredArea, useStoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import type { SessionUser } from '#shared/contract/auth.ts'
import { type EnteredMember, type GateProps, MemberGate } from './member-gate.tsx'
import { Coming } from './members-skeleton.tsx'

export type OpenedArea = Omit<EnteredMember, 'memberId'> & { stored: StoredArea; user: SessionUser }

type Props = Omit<GateProps, 'children'> & { Page: ComponentType<OpenedArea> }

/** Opens a page of the members' area beside the list of videos, with what this phone has stored. */
export function StoredGate({ Page, ...gate }: Props) {
  return (
    <MemberGate {...gate}>
      {({ memberId, ...member }) => (
        <Stored key={memberId} {...member} Page={Page} title={gate.title} skeleton={gate.skeleton} />
      )}
    </MemberGate>
  )
}

type StoredProps = Omit<EnteredMember, 'memberId'> & Pick<Props, 'Page' | 'title' | 'skeleton'>

function Stored({ Page, title, skeleton, ...member }: StoredProps) {
  const stored = useStable(useStoredArea())
  return stored?.user ? (
    <Page {...member} stored={stored} user={stored.user} />
  ) : (
    <Coming title={title}>{skeleton}</Coming>
  )
}
