import type { QueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { SiteBody } from '#pwa/features/chrome/site-body.tsx'
import { MemberFrame } from '#pwa/features/members/frame/member-frame.tsx'
import { Coming } from '#pwa/features/members/frame/members-skeleton.tsx'
import { openArea } from '#pwa/features/members/stored/use-stored-area.ts'
import {
  askTitle,
  bookTitles,
  callsTitle,
  commitmentsTitle,
  findPhonePlace,
  isMailAction,
  listenTitle,
  questionsTitle,
  shelfTitle,
  walletTitle,
} from '#pwa/features/places/account-places.ts'
import type { MemberPage } from '#pwa/features/places/member-places.ts'
import { useSiteModeMark } from '#pwa/features/site-mode/site-mode-store.ts'
import { lazyPage } from '#pwa/lib/lazy-page.tsx'
import { loadFile } from '#pwa/lib/load-file.ts'
import type { MemberStore } from '#pwa/sync/progress/store.ts'
import '#pwa/features/profile/profile.css'
import '#pwa/features/site-mode/site-mode.css'

const AccountPage = lazy(() => loadFile(() => import('./account-page.tsx')))
const SharePage = lazy(() => loadFile(() => import('#pwa/features/notices/share-page.tsx')))
const MailLinkPage = lazy(() => loadFile(() => import('#pwa/features/profile/mail-link-page.tsx')))
const OwnerInvitationPage = lazy(() => loadFile(() => import('#pwa/features/profile/owner-invitation-page.tsx')))
const PhonePage = lazy(() => loadFile(() => import('#pwa/features/members/phone/phone-page.tsx')))

const shown = ({ default: Page }: { default: ComponentType }) => <Page />

const bookPageOf = (place: keyof typeof bookTitles) =>
  lazyPage(
    () => import('#pwa/features/members/calls/book-page.tsx'),
    ({ default: BookPage }) => <BookPage place={place} />,
  )

type Place = {
  page: MemberPage
  title: string
  Page: ReturnType<typeof bookPageOf>
  /** Reads what the page shows beside the area's own. */
  begin?: (store: MemberStore) => Promise<void>
}

/** Pages of the members' area beside the list, by their place. They show what's stored on this phone. */
const memberPlaces: Partial<Record<string, Place>> = {
  listen: {
    page: 'dashboard',
    title: listenTitle,
    Page: lazyPage(() => import('#pwa/features/members/listen/listen-page.tsx'), shown),
  },
  wallet: {
    page: 'billing',
    title: walletTitle,
    Page: lazyPage(() => import('#pwa/features/members/wallet/wallet-page.tsx'), shown),
  },
  calls: {
    page: 'calls',
    title: callsTitle,
    Page: lazyPage(() => import('#pwa/features/members/calls/calls-page.tsx'), shown),
  },
  commitments: {
    page: 'dashboard',
    title: commitmentsTitle,
    Page: lazyPage(() => import('#pwa/features/members/commitments/commitments-page.tsx'), shown),
  },
  'book-call': { page: 'calls', title: bookTitles['book-call'], Page: bookPageOf('book-call') },
  'catch-up': { page: 'calls', title: bookTitles['catch-up'], Page: bookPageOf('catch-up') },
  shelf: {
    page: 'dashboard',
    title: shelfTitle,
    Page: lazyPage(() => import('#pwa/features/members/shelf/shelf-page.tsx'), shown),
  },
  questions: {
    page: 'dashboard',
    title: questionsTitle,
    Page: lazyPage(() => import('#pwa/features/members/questions/questions-page.tsx'), shown),
    begin: (store) =>
      loadFile(() => import('#pwa/features/members/questions/questions-page.tsx')).then(({ default: Page }) =>
        Page.begin(store),
      ),
  },
  ask: {
    page: 'dashboard',
    title: askTitle,
    Page: lazyPage(() => import('#pwa/features/members/questions/ask-page.tsx'), shown),
  },
}

/** Loads the page's own file, and reads what it shows from this phone, before either is asked for. */
export async function preparePlace(place: string, queryClient: QueryClient): Promise<void> {
  const known = memberPlaces[place]
  if (known) await Promise.all([known.Page.preload(), openArea(queryClient, known.begin)])
}

type Props = { place: string; search: { token?: unknown; full?: unknown } }

/**
 * A page below Profile, the member's calls, or an emailed link's page. It's one route, because every page of the site carries the
 * list of routes.
 */
export function PlacePage({ place, search: { token, full } }: Props) {
  useSiteModeMark()
  if (isMailAction(place))
    return (
      <SiteBody>
        <Suspense fallback={loading}>
          <MailLinkPage action={place} token={typeof token === 'string' ? token : ''} />
        </Suspense>
      </SiteBody>
    )
  if (place === 'owner-invitation')
    return (
      <SiteBody>
        <Suspense fallback={loading}>
          <OwnerInvitationPage token={typeof token === 'string' ? token : ''} />
        </Suspense>
      </SiteBody>
    )
  if (place === 'share')
    return (
      <SiteBody>
        <Suspense fallback={loading}>
          <SharePage isFull={full === '1' || full === 1} />
        </Suspense>
      </SiteBody>
    )
  const phonePlace = findPhonePlace(place)
  const memberPlace = memberPlaces[place]
  return (
    <Suspense
      fallback={
        <MemberFrame page={memberPlace?.page ?? 'profile'}>
          <Coming title={memberPlace?.title ?? phonePlace?.title ?? ''}>{loading}</Coming>
        </MemberFrame>
      }
    >
      {phonePlace && <PhonePage {...phonePlace} />}
      {memberPlace && <memberPlace.Page />}
      {!phonePlace && !memberPlace && <AccountPage place={place} />}
    </Suspense>
  )
}

const loading = <div className="wrap account" role="status" aria-label="Loading" aria-busy="true" />
