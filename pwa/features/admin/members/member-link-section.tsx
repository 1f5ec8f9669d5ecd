import type { ReactNode } from 'react'
import { TextLink } from '#pwa/ui/link.tsx'

/** The way from a member's name to their page; `id` may be their address. */
export const MemberLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <TextLink to="/admin/members/$memberId" params={{ memberId: id }}>
    {children}
  </TextLink>
)
