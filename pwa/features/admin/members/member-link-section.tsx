import type { ReactNode } from 'react'
import { TextLink } from '#pwa/ui/link.tsx'

/** The way from a member's name to their page; `id` may be their address, and is null where nobody has an account. */
export const MemberLink = ({ id, children }: { id: string | null; children: ReactNode }) =>
  id === null ? (
    children
  ) : (
    <TextLink to="/admin/members/$memberId" params={{ memberId: id }}>
      {children}
    </TextLink>
  )
