import type { ReactNode } from 'react'
import { PhoneLink } from '#pwa/features/admin/kit/phone-link.tsx'
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

type Who = { id: string | null; name: string; email: string; phone: string | null }

/** A member in a list: their page, and how to reach them. */
export const MemberWho = ({ id, name, email, phone }: Who) => (
  <>
    <MemberLink id={id}>{name}</MemberLink>
    <small>{email}</small>
    {phone && (
      <small>
        <PhoneLink phone={phone} of={name} />
      </small>
    )}
  </>
)
