import { useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import type { StoredArea } from '#pwa/features/members/stored/use-stored-area.ts'
import { askTitle, questionsTitle } from '#pwa/features/places/account-places.ts'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import type { ShownAbout } from '#pwa/sync/progress/question-rows.ts'
import { type DraftHandle, useDraft, useQuestionThreads } from '#pwa/sync/questions/hooks.ts'
import { type DraftStart, isEmptyDraft } from '#pwa/sync/questions/shapes.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import type { QuestionAbout, QuestionAllowance } from '#shared/contract/questions.ts'
import { formatLongDate } from '#shared/rules/london.ts'
import { plural } from '#shared/rules/plural.ts'
import { Composer } from './composer.tsx'
import { aboutText } from './question-texts.ts'
import { type AskSearch, readAskSearch } from './search.ts'
import { useShared } from './use-shared.ts'
import './questions.css'

const useAsked = (): AskSearch => readAskSearch(useRouterState({ select: ({ location }) => location.search }))

export default function AskPage() {
  return (
    <StoredGate
      page="dashboard"
      title={askTitle}
      returnTo={addressOf(useAsked())}
      skeleton={<AskSkeleton />}
      Page={OpenAsk}
    />
  )
}

function addressOf(asked: AskSearch): string {
  const search = new URLSearchParams(Object.entries(asked).map(([name, value]) => [name, String(value)])).toString()
  return search === '' ? '/members/ask' : `/members/ask?${search}`
}

function OpenAsk({ stored, user, onLogout }: OpenedArea) {
  const asked = useAsked()
  const isReadOnly = useIsReadOnly()
  const threads = useQuestionThreads()
  const hasAccess = user.isMember || user.isAdmin
  return (
    <div className="wrap account questions">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members/$place" params={{ place: 'questions' }}>
          {questionsTitle}
        </TextLink>
        <LogoutLink onLogout={onLogout} />
      </nav>
      <h1 className="account__title">{askTitle}</h1>
      {isReadOnly ? (
        <EmptyState title="Not shown while you view as a member" level={2}>
          Their questions are in Inbox.
        </EmptyState>
      ) : threads?.sync.allowance?.perMonth === 0 ? (
        <EmptyState title="Questions aren’t part of your membership" level={2} action={toBilling}>
          Change your tier and you can ask your coach.
        </EmptyState>
      ) : (
        <>
          {!hasAccess && (
            <Banner icon="info" title="You haven’t got access right now" action={toBilling}>
              You can write it now. We’ll send it once you’ve got access.
            </Banner>
          )}
          <Allowance allowance={threads?.sync.allowance ?? null} />
          <AskForm key={JSON.stringify(asked)} stored={stored} asked={asked} />
        </>
      )}
    </div>
  )
}

const toBilling = (
  <ButtonLink to="/members" search={{ tab: 'billing' }} look="line" isSmall icon="arrow">
    See your membership
  </ButtonLink>
)

/** Only where there's a limit, and it's close. */
function Allowance({ allowance }: { allowance: QuestionAllowance | null }) {
  if (allowance === null) return null
  const { from, leftThisMonth } = allowance
  if (from !== null)
    return (
      <Banner icon="info" title="You’ve asked as many as you can for now">
        {`Write it now, and we’ll send it on ${formatLongDate(from)}.`}
      </Banner>
    )
  return leftThisMonth === null ? null : (
    <p className="second">You’ve got {plural(leftThisMonth, 'question')} left this month.</p>
  )
}

type Start = { key: string; start: DraftStart }

/** One draft for each thing that can be asked about, so that none gets in another's way. */
function startOf({ video, at, call, share, draft }: AskSearch): Start {
  if (draft) return { key: draft, start: {} }
  if (share) return { key: share, start: { origin: 'share' } }
  if (video)
    return {
      key: `video-${video}`,
      start: { origin: 'video', about: { kind: 'video', videoId: video, seconds: at ?? 0 } },
    }
  if (call) return { key: `call-${call}`, start: { origin: 'call', about: { kind: 'call', callId: call } } }
  return { key: 'header', start: { origin: 'header' } }
}

function AskForm({ stored, asked }: { stored: StoredArea; asked: AskSearch }) {
  const navigate = useNavigate()
  const [{ key, start }, setStart] = useState(() => startOf(asked))
  const handle = useDraft(key, start)
  useFreshAbout(handle, start)
  const shared = useShared(key)
  const problems = [...(handle.draft?.shared?.problems ?? []), ...shared.problems]
  const about = handle.draft?.about ?? null
  // It was refused, and is being mended here.
  const isAdded = (handle.draft?.questionId ?? null) !== null
  const shown = useMemo(() => about && shownAbout(about, stored), [about, stored])
  const remove = () => {
    // Both: what's here already, and what it would begin with.
    setStart({ key, start: { ...start, about: null } })
    handle.change({ about: null })
  }
  return (
    <>
      <About shown={shown} onRemove={remove} />
      {problems.length > 0 && (
        <Banner tone="bad" role="status" title="Some photos didn’t come through">
          {problems.join(' ')}
        </Banner>
      )}
      <Composer
        handle={handle}
        label={isAdded ? 'What do you want to add?' : about ? 'What do you want to know?' : 'What’s your question?'}
        sendLabel="Send"
        asksToPublish={!isAdded}
        isWaiting={shared.isBusy}
        onKept={(id) => navigate({ to: '/members/questions/$id', params: { id }, hash: 'kept' })}
      />
    </>
  )
}

/** Nothing was written yet, so it's about what was pressed last: the same video, at another second. */
function useFreshAbout({ draft, change }: DraftHandle, { about }: DraftStart): void {
  const renew = useEffectEvent(() => {
    if (draft && about !== undefined && isEmptyDraft(draft) && JSON.stringify(draft.about) !== JSON.stringify(about))
      change({ about })
  })
  const isRead = draft !== undefined
  useEffect(() => {
    if (isRead) renew()
  }, [isRead])
}

/** What it's about, in the words of this phone. */
function shownAbout(about: QuestionAbout, { videos, calls }: Pick<StoredArea, 'calls' | 'videos'>): ShownAbout {
  if (about.kind === 'call')
    return { ...about, startsAt: calls?.calls.find(({ id }) => id === about.callId)?.startsAt ?? null }
  const video = videos.find(({ id }) => id === about.videoId)
  return { ...about, slug: video?.slug ?? null, title: video?.title ?? 'A video' }
}

function About({ shown, onRemove }: { shown: ShownAbout | null; onRemove: () => void }) {
  const box = useRef<HTMLDivElement>(null)
  useKeptFocus(box, shown === null)
  return (
    <div ref={box}>
      {shown ? (
        <div className="about">
          <p>
            <span className="label">About</span> <b>{aboutText(shown)}</b>
          </p>
          <Button look="bare" isSmall icon="cross" onClick={onRemove}>
            It’s about something else
          </Button>
        </div>
      ) : (
        <p className="second" tabIndex={-1} data-next>
          Ask about anything: a job, a price, a customer. You’ll find the answer under Your questions.
        </p>
      )}
    </div>
  )
}

const AskSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)
