import type { Brand } from '#shared/contract/site-content.ts'

/** How the firm itself is reached, beside its coaches: what is not set is left out. */
export const toFirmContacts = ({ phone, messenger, email }: Brand): { label: string; href: string }[] =>
  [
    { label: `Call ${phone}`, href: phone && `tel:${phone.replace(/[^+\d]/g, '')}` },
    { label: 'Message us', href: messenger },
    { label: email, href: email && `mailto:${email}` },
  ].filter(({ href }) => href !== '')
