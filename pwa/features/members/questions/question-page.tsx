import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { LockedUntilSignal } from '#pwa/features/members/frame/videos-or-reason.tsx'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { questionsTitle } from '#pwa/features/places/account-places.ts'
import { lazyExtra } from '#pwa/lib/lazy-extra.tsx'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import { useOnline } from '#pwa/lib/use-online.ts'
import { useIsKept, useIsReadOnly } from '#pwa/sync/hooks.ts'
import type { ShownAbout } from '#pwa/sync/progress/question-rows.ts'
import { useDraft, useQuestions, useQuestionThread, useQuestionThreads } from '#pwa/sync/questions/hooks.ts'
import { isEmptyDraft, type QuestionThread, type ThreadMessage } from '#pwa/sync/questions/shapes.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { formatMoment } from '#shared/rules/london.ts'
import { Composer } from './composer.tsx'
import { Message } from './message.tsx'
import { aboutText, filesProgress, sendText, stateBadge, threadDraftKey, whenText } from './question-texts.ts'
import '#pwa/features/profile/profile.css'
import './questions.css'

const TellMeWhenAnswered = lazyExtra(() => import('#pwa/features/notices/tell-me-when-answered.tsx'))

export const questionTitle = 'Your question'

export function QuestionPage({ id }: { id: string }) {
  return (
    <StoredGate
      page="dashboard"
      title={questionTitle}
      returnTo={`/members/questions/${id}`}
      skeleton={<QuestionSkeleton />}
      Page={OpenQuestion}
    />
  )
}

/** It has just been asked. */
const useIsFresh = () => useRouterState({ select: ({ location }) => location.hash === 'kept' })

const useQuestionId = () =>
  useRouterState({ select: ({ location }) => /^\/members\/questions\/([^/]+)/.exec(location.pathname)?.[1] ?? '' })

function OpenQuestion({ session, stored, user, onLogout }: OpenedArea) {
  const id = useQuestionId()
  const lock = usePhoneLock({ ...stored, user })
  const isReadOnly = useIsReadOnly()
  const isFresh = useIsFresh()
  return (
    <div className="wrap account questions">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members/$place" params={{ place: 'questions' }}>
          {questionsTitle}
        </TextLink>
        <LogoutLink onLogout={onLogout} />
      </nav>
      <h1 className="account__title">{questionTitle}</h1>
      {isReadOnly ? (
        <EmptyState title="Not shown while you view as a member" level={2}>
          You’re viewing the site as a member. Their questions are in Inbox.
        </EmptyState>
      ) : (
        <Thread key={id} id={id} isLocked={lock.kind === 'unreachable'}>
          {isFresh && (
            <Suspense>
              <TellMeWhenAnswered session={session} memberId={user.id} />
            </Suspense>
          )}
        </Thread>
      )}
    </div>
  )
}

/** `children`: what comes below it while there's an answer to come. */
function Thread({ id, isLocked, children }: { id: string; isLocked: boolean; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  const thread = useQuestionThread(id)
  const [wasHere, setWasHere] = useState(false)
  if (thread && !wasHere) setWasHere(true)
  const questions = useQuestions()
  useReading(thread ?? null)
  useKeptFocus(box, thread?.state.kind)
  if (isLocked) return <LockedUntilSignal isBusy={false} onRetry={() => void questions.syncNow().catch(reportError)} />
  return (
    <div ref={box} className="thread__all">
      {thread === undefined ? (
        <Skeleton size="block" />
      ) : thread ? (
        <>
          <OpenThread thread={thread} />
          {thread.state.kind !== 'withdrawn' && children}
        </>
      ) : wasHere ? (
        <Gone title="This question’s been deleted" text="It was only on this phone, so it’s gone for good." />
      ) : (
        <Missing />
      )}
    </div>
  )
}

/** Withdrawn or deleted, here or in another tab. The button that did it has gone with the question, so the focus comes here. */
const Gone = ({ title, text }: { title: string; text: string }) => (
  <div tabIndex={-1} data-next className="thread__kept">
    <EmptyState title={title} level={2}>
      {text}
    </EmptyState>
  </div>
)

/** An answer that's on screen is read. Not one in a tab that nobody looks at. */
function useReading(thread: QuestionThread | null): void {
  const questions = useQuestions()
  const unread = thread?.isUnread ? thread.id : null
  useEffect(() => {
    if (unread === null) return
    const read = () => {
      if (document.visibilityState === 'visible') questions.markRead(unread).catch(reportError)
    }
    read()
    document.addEventListener('visibilitychange', read)
    return () => document.removeEventListener('visibilitychange', read)
  }, [questions, unread])
}

function Missing() {
  const sync = useQuestionThreads()?.sync
  const questions = useQuestions()
  const [isBusy, setBusy] = useState(true)
  useEffect(() => {
    questions
      .syncNow()
      .catch(reportError)
      .finally(() => setBusy(false))
  }, [questions])
  if (isBusy && sync?.isReachable)
    return (
      <div role="status" aria-label="Loading your question">
        <Skeleton size="block" />
      </div>
    )
  return sync?.isReachable === false ? (
    <EmptyState title="No signal" level={2}>
      This question isn’t on your phone yet. Open it once you’ve got signal.
    </EmptyState>
  ) : (
    <EmptyState title="We can’t find that question" level={2}>
      You may have asked it with another account, or withdrawn it.
    </EmptyState>
  )
}

function OpenThread({ thread }: { thread: QuestionThread }) {
  const { id, about, messages, state, readByCoachAt, publishedAt, canAdd, canWithdraw } = thread
  const { tone, label } = stateBadge(thread)
  const isFresh = useIsFresh()
  return (
    <>
      <div className="thread__head">
        <Badge tone={tone}>{label}</Badge>
        {about && <About about={about} />}
      </div>
      {isFresh && state.kind !== 'withdrawn' && <Kept thread={thread} />}
      {state.kind === 'withdrawn' && (
        <Gone
          title="You’ve withdrawn this question"
          text={
            state.isDone
              ? 'We’ve deleted it, and it’s off this phone.'
              : 'It’s off this phone. Once you’ve got signal, it’s deleted at our end too.'
          }
        />
      )}
      <ol className="plain thread" aria-label="Messages">
        {messages.map((message) => (
          <Message key={message.id} message={message} questionId={id} />
        ))}
      </ol>
      {state.kind === 'read' && <p className="second">Read by your coach on {formatMoment(readByCoachAt)}.</p>}
      {publishedAt && (
        <p className="second">
          We’ve published this below a video, in our own words and without your name. Thanks for sharing it.
        </p>
      )}
      {canAdd ? (
        <AddForm questionId={id} messages={messages} />
      ) : (
        state.kind === 'closed' && (
          <p className="second">Your coach has closed this question. Ask a new one any time.</p>
        )
      )}
      {thread.withdrawRefusal && (
        <Banner tone="bad" title="We couldn’t withdraw it">
          {thread.withdrawRefusal}
        </Banner>
      )}
      {canWithdraw && <Withdraw thread={thread} />}
    </>
  )
}

function About({ about }: { about: ShownAbout }) {
  if (about.kind === 'video' && about.slug)
    return (
      <TextLink
        isTap
        to="/members/videos/$slug"
        params={{ slug: about.slug }}
        {...(about.seconds > 0 ? { hash: `t=${about.seconds}` } : {})}
      >
        {aboutText(about)}
      </TextLink>
    )
  return <p>{aboutText(about)}</p>
}

/** After Send: that it's on this phone, and when it goes. The focus begins here. */
function Kept({ thread }: { thread: QuestionThread }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => box.current?.focus(), [])
  const here = { hasNetwork: useOnline(), isKept: useIsKept() }
  const last = thread.messages.findLast(({ author }) => author === 'member')
  if (!last) return null
  const isSent = last.state.kind === 'sent'
  const isWhole = isSent && filesProgress(last.files) === null
  const text = here.isKept ? whenText(last.state, here.hasNetwork) : sendText(last.state, here)
  return (
    <div ref={box} tabIndex={-1} className="thread__kept">
      <Banner
        tone={isWhole ? 'ok' : isSent || here.isKept ? 'plain' : 'bad'}
        icon={isWhole ? 'tick' : isSent || here.isKept ? 'phone' : 'warn'}
        role="status"
        title={isWhole ? 'Sent' : isSent ? 'Still sending' : here.isKept ? 'Saved on this phone' : 'Not sent yet'}
      >
        {isWhole
          ? 'Your coach has it. The answer will be here.'
          : isSent
            ? restText(last.text, here.isKept)
            : (text ?? '')}
      </Banner>
    </div>
  )
}

const restText = (text: string, isKept: boolean) =>
  `${text === '' ? '' : 'Your coach has your text. '}${
    isKept
      ? 'The rest is safe on this phone. It goes while you’re in the members’ area, or next time you open it.'
      : 'Keep this page open until the rest has gone.'
  }`

function AddForm({ questionId, messages }: { questionId: string; messages: readonly ThreadMessage[] }) {
  const isAnswered = messages.some(({ author }) => author === 'coach')
  const isWanted = useRouterState({ select: ({ location }) => location.hash === 'add' })
  const handle = useDraft(threadDraftKey(questionId), { questionId })
  const [chosen, choose] = useState<boolean | null>(isWanted || null)
  const box = useRef<HTMLElement>(null)
  const focusOnceShown = useFocusOnceShown(messages)
  const isBegun = handle.draft !== undefined && !isEmptyDraft(handle.draft)
  useEffect(() => {
    // It stays open when they delete what they'd begun.
    if (isBegun) choose((before) => before ?? true)
  }, [isBegun])
  const open = () => {
    choose(true)
    requestAnimationFrame(() => box.current?.querySelector('textarea')?.focus())
  }
  if (!chosen)
    return (
      <div className="acts">
        <Button look="line" icon="pencil" onClick={open}>
          {isAnswered ? 'Reply' : 'Add something'}
        </Button>
      </div>
    )
  return (
    <section className="sheet account__sheet" ref={box} aria-label={isAnswered ? 'Reply' : 'Add to your question'}>
      <Composer
        handle={handle}
        label={isAnswered ? 'Your reply' : 'What do you want to add?'}
        sendLabel={isAnswered ? 'Send reply' : 'Send'}
        onKept={(_, messageId) => {
          choose(false)
          focusOnceShown(messageId)
        }}
      />
    </section>
  )
}

/** What was added comes into the thread a moment after it's kept. */
function useFocusOnceShown(messages: readonly ThreadMessage[]) {
  const [awaited, setAwaited] = useState<string | null>(null)
  const isShown = messages.some(({ id }) => id === awaited)
  useEffect(() => {
    if (awaited === null || !isShown) return
    document.getElementById(awaited)?.focus()
    setAwaited(null)
  }, [awaited, isShown])
  return setAwaited
}

function Withdraw({ thread: { id } }: { thread: QuestionThread }) {
  const questions = useQuestions()
  const [isAsked, setAsked] = useState(false)
  const withdraw = async () => {
    setAsked(false)
    await questions.withdraw(id)
  }
  return (
    <div className="acts">
      <Button look="bare" isSmall icon="undo" onClick={() => setAsked(true)}>
        Withdraw this question
      </Button>
      <Dialog
        isOpen={isAsked}
        onClose={() => setAsked(false)}
        title="Withdraw this question?"
        footer={
          <>
            <Button look="bad" onClick={() => void withdraw().catch(reportError)}>
              Withdraw it
            </Button>
            <Button look="line" onClick={() => setAsked(false)}>
              Keep it
            </Button>
          </>
        }
      >
        <p>We’ll delete it, with its photos and voice note. You can’t get them back.</p>
      </Dialog>
    </div>
  )
}

const QuestionSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading your question">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)
