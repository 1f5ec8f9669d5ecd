import { Banner } from '#pwa/ui/banner.tsx'
import { ButtonLink } from '#pwa/ui/button.tsx'

/** Somebody for whom the application is the wrong page. */
export type KnownPerson = 'owner' | 'member' | 'former-member' | 'revoked'

const ways = {
  owner: {
    title: 'You are an owner',
    text: 'Everything is open to you. There is nothing to join.',
    link: { to: '/members', label: 'Open the members’ area' },
  },
  member: {
    title: 'You already have a membership',
    text: 'There is no need to join again.',
    link: { to: '/members', search: { tab: 'billing' }, label: 'Open Billing' },
  },
  'former-member': {
    title: 'You have been a member',
    text: 'Start again without filling in the application.',
    link: { to: '/reactivate', label: 'Reactivate' },
  },
  revoked: {
    title: 'Your access was ended by the owners',
    text: 'Please contact us.',
    link: { to: '/contact', label: 'Contact us' },
  },
} as const

/** What is said to them, and where they get on. */
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
