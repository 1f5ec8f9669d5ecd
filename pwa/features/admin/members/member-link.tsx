import type { ReactNode } from 'react'
import { TextLink } from '#pwa/ui/link.tsx'

/** `id` can be an email address. It’s null if there’s no account. */
export const MemberLink = ({ id, children }: { id: string | null; children: ReactNode }) =>
  id === null ? (
    children
  ) : (
    <TextLink to="/admin/members/$memberId" params={{ memberId: id }}>
      {children}
    </TextLink>
  )
