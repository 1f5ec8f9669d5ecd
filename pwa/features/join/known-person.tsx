import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'

/** For people who don't need the application. */
export type KnownPerson = 'owner' | 'member' | 'former-member' | 'revoked'

const ways = {
  owner: {
    title: 'You’re an owner',
    text: 'You can already see everything, so there’s nothing to join.',
    link: { to: '/members', label: 'Open the members’ area' },
  },
  member: {
    title: 'You already have a membership',
    text: 'No need to join again.',
    link: { to: '/members', search: { tab: 'billing' }, label: 'Open Billing' },
  },
  'former-member': {
    title: 'You’ve been a member before',
    text: 'Start again without the application form.',
    link: { to: '/reactivate', label: 'Reactivate' },
  },
  revoked: {
    title: 'We’ve switched off your access',
    text: 'Get in touch and we’ll talk it through.',
    link: { to: '/contact', label: 'Contact us' },
  },
} as const

export function KnownPersonBanner({ person }: { person: KnownPerson }) {
  const { title, text, link } = ways[person]
  const { label, ...target } = link
  return (
    <Banner
      tone={person === 'revoked' ? 'plain' : 'ok'}
      title={title}
      action={
        <ButtonLink {...target} isSmall icon="arrow">
          {label}
        </ButtonLink>
      }
    >
      {text}
    </Banner>
  )
}
