import { type MouseEvent, memo } from 'react'
import { LogoutLink } from '#pwa/features/auth/logout/logout-gate.tsx'
import { type OpenedArea, StoredGate } from '#pwa/features/members/frame/stored-gate.tsx'
import { useFollowLink } from '#pwa/features/members/frame/use-follow-link.ts'
import { LockedUntilSignal } from '#pwa/features/members/frame/videos-or-reason.tsx'
import { usePhoneLock } from '#pwa/features/members/stored/use-phone-lock.ts'
import { questionsTitle } from '#pwa/features/places/account-places.ts'
import { useIsKept, useIsReadOnly } from '#pwa/sync/hooks.ts'
import { beginThreads, useQuestions, useQuestionThreads } from '#pwa/sync/questions/hooks.ts'
import type { Draft, QuestionRow, QuestionSync } from '#pwa/sync/questions/shapes.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Button, ButtonLink } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextAnchor, TextLink } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { londonDay } from '#shared/rules/london.ts'
import { aboutText, rowTitle, stateBadge, threadDraftKey, whenSaid } from './question-texts.ts'
import { useDrafts } from './use-drafts.ts'
import { useShared } from './use-shared.ts'
import './questions.css'

export default function QuestionsPage() {
  return (
    <StoredGate
      page="dashboard"
      title={questionsTitle}
      returnTo="/members/questions"
      skeleton={<QuestionsSkeleton />}
      Page={OpenQuestions}
    />
  )
}

/** Reads what it shows, before it's there. */
QuestionsPage.begin = beginThreads

function OpenQuestions({ stored, user, onLogout }: OpenedArea) {
  const lock = usePhoneLock({ ...stored, user })
  const isReadOnly = useIsReadOnly()
  return (
    <div className="wrap account questions">
      <nav className="account__back" aria-label="Account">
        <TextLink isTap to="/members">
          All videos
        </TextLink>
        <LogoutLink onLogout={onLogout} />
      </nav>
      <h1 className="account__title">{questionsTitle}</h1>
      {isReadOnly ? (
        <EmptyState title="Not shown while you view as a member" level={2}>
          Their questions are in Inbox.
        </EmptyState>
      ) : lock.kind === 'unreachable' ? (
        <Locked />
      ) : (
        <Threads />
      )}
    </div>
  )
}

function Locked() {
  const questions = useQuestions()
  return <LockedUntilSignal isBusy={false} onRetry={() => void questions.syncNow().catch(reportError)} />
}

function Threads() {
  const threads = useQuestionThreads()
  const drafts = useDrafts()
  useShared()
  const onOpen = useFollowLink()
  if (threads === undefined) return <Skeleton size="block" />
  const { rows, sync } = threads
  const today = londonDay(new Date())
  return (
    <>
      <div className="acts">
        <ButtonLink to="/members/$place" params={{ place: 'ask' }} icon="pencil">
          Ask a question
        </ButtonLink>
      </div>
      {drafts.length > 0 && (
        <section className="questions__part" aria-labelledby="begun">
          <h2 className="panel__title" id="begun">
            Not finished
          </h2>
          <ul className="plain questions__list">
            {drafts.map((draft) => (
              <DraftRow key={draft.key} draft={draft} today={today} />
            ))}
          </ul>
        </section>
      )}
      <Freshness sync={sync} isEmpty={rows.length === 0} />
      {rows.length > 0 && (
        <section className="questions__part" aria-labelledby="asked">
          <h2 className="panel__title" id="asked">
            Asked
          </h2>
          <ul className="plain questions__list">
            {rows.map((row) => (
              <ThreadRow key={row.id} row={row} today={today} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

/** How old the list is, or why there's none. */
function Freshness({ sync, isEmpty }: { sync: QuestionSync; isEmpty: boolean }) {
  const questions = useQuestions()
  const { heardAt, isReachable, paused } = sync
  const retry = (
    <Button look="line" isSmall icon="sync" onClick={() => void questions.syncNow().catch(reportError)}>
      Try again
    </Button>
  )
  if (paused === 'access' && isEmpty)
    return (
      <EmptyState title="Members Only" level={2}>
        Questions come with a membership. Write one now, and we’ll send it once you’ve got access.
      </EmptyState>
    )
  if (heardAt === null && isEmpty)
    return isReachable ? (
      <div role="status" aria-label="Loading your questions">
        <Skeleton size="block" />
      </div>
    ) : (
      <EmptyState title="No signal" level={2} action={retry}>
        You can ask now, and we’ll send it when you’re back in range. You’ll see earlier questions once you’ve got
        signal.
      </EmptyState>
    )
  if (isEmpty)
    return (
      <EmptyState title="No questions yet" level={2}>
        Stuck on a job or a price? Ask, add a photo or just say it. Your coach’s answer will be here.
      </EmptyState>
    )
  return isReachable ? null : (
    <p className="second" role="status">
      No signal. This is what’s saved on your phone{heardAt && `, from ${whenSaid(heardAt, londonDay(new Date()))}`}.
    </p>
  )
}

type RowProps = { row: QuestionRow; today: string; onOpen: (event: MouseEvent<HTMLAnchorElement>) => void }

/** Drawn again only when it has changed: a long list is a long time on a slow phone. */
const ThreadRow = memo(({ row, today, onOpen }: RowProps) => {
  const { id, about, askedAt, state, isUnread, hasRefusal } = row
  const { tone, label } = stateBadge(row)
  return (
    <li className={isUnread ? 'questions__row questions__row--new' : 'questions__row'}>
      <div className="questions__what">
        <TextAnchor href={`/members/questions/${id}`} onClick={onOpen}>
          {rowTitle(row)}
        </TextAnchor>
        <p className="second">
          {whenSaid(askedAt, today)}
          {about && ` · ${aboutText(about)}`}
        </p>
      </div>
      <p className="questions__state">
        {isUnread && (
          <Badge tone="open" icon="mail">
            New answer
          </Badge>
        )}
        {!(isUnread && state.kind === 'answered') && <Badge tone={tone}>{label}</Badge>}
        {hasRefusal && state.kind !== 'refused' && <Badge tone="bad">Part couldn’t send</Badge>}
      </p>
    </li>
  )
})

function DraftRow({ draft, today }: { draft: Draft; today: string }) {
  const isKept = useIsKept()
  const changed = whenSaid(new Date(draft.changedAt).toISOString(), today)
  const title = rowTitle({ excerpt: draft.text.trim(), photos: draft.photos.length, hasVoice: draft.voice !== null })
  return (
    <li className="questions__row">
      <div className="questions__what">
        {draft.questionId === null || draft.key !== threadDraftKey(draft.questionId) ? (
          <TextLink to="/members/$place" params={{ place: 'ask' }} search={{ draft: draft.key }}>
            {title}
          </TextLink>
        ) : (
          <TextLink to="/members/questions/$id" params={{ id: draft.questionId }} hash="add">
            {title}
          </TextLink>
        )}
        <p className="second">
          {isKept ? `Saved on this phone ${changed}` : `Written ${changed}. This phone can’t save it, so send it soon.`}
        </p>
      </div>
      <p className="questions__state">
        <Badge tone="wait">Not sent</Badge>
      </p>
    </li>
  )
}

const QuestionsSkeleton = () => (
  <div className="wrap account" role="status" aria-label="Loading your questions">
    <Skeleton size="title" isShort />
    <Skeleton size="block" />
  </div>
)
