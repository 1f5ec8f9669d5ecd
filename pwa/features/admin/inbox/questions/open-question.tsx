import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { receivedAt } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { questionList } from '#pwa/features/admin/kit/inbox/queries.ts'
import { questionStateLabels, questionTones } from '#pwa/features/admin/kit/inbox/question-texts.ts'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { MemberLink } from '#pwa/features/admin/kit/members/member-link.tsx'
import { PlaceLink } from '#pwa/features/admin/kit/part.tsx'
import { adminKey } from '#pwa/features/admin/kit/queries.ts'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import { useKeptFocus } from '#pwa/lib/use-kept-focus.ts'
import { Badge } from '#pwa/ui/badge.tsx'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { Done } from '#shared/contract/auth.ts'
import { QuestionRecord } from '#shared/contract/questions.ts'
import { videoAskedAt } from '#shared/rules/video.ts'
import { AboutMember } from './about-member.tsx'
import { AnswerForm } from './answer-form.tsx'
import { PublishPart } from './publish-part.tsx'
import { questionQuery } from './queries.ts'
import { Thread } from './thread.tsx'
import { VoiceSending } from './voice-sending.tsx'

type Props = { id: string; onOpen: (id: string) => void; onClose: () => void }

export function OpenQuestion({ id, onOpen, onClose }: Props) {
  const { data, ...state } = useQuery(questionQuery(id))
  const isGone = state.error instanceof RequestError && state.error.status === 404
  return (
    <section className="asked__open" aria-label="The open question">
      <div className="asked__back">
        <Button isSmall look="line" icon="back" onClick={onClose}>
          Back to the list
        </Button>
      </div>
      {isGone ? (
        <EmptyState title="This question isn’t here any more">The member’s account may have been deleted.</EmptyState>
      ) : (
        <ListState {...state} />
      )}
      {data && !isGone ? (
        <Opened record={data} onOpen={onOpen} onClose={onClose} />
      ) : (
        state.error === null && <Skeleton size="block" />
      )}
    </section>
  )
}

type OpenedProps = Omit<Props, 'id'> & { record: QuestionRecord }

function Opened({ record, onOpen, onClose }: OpenedProps) {
  const { question, member, published } = record
  const [answers, setAnswers] = useState(0)
  const box = useRef<HTMLDivElement>(null)
  useReading(record)
  useKeptFocus(box, `${answers} ${question.state} ${published === null}`)
  return (
    <div className="asked__pair">
      <div className="asked__main" ref={box}>
        <Head record={record} onClose={onClose} />
        {question.state === 'withdrawn' ? (
          <p>{member.name} withdrew this question. We’ve deleted what was in it.</p>
        ) : (
          <>
            <Thread question={question} memberName={member.name} />
            <ReadByMember record={record} />
            <VoiceSending question={question} box={box} />
            <Answering key={answers} record={record} onSent={() => setAnswers((count) => count + 1)} />
            <PublishPart record={record} />
          </>
        )}
      </div>
      <AboutMember record={record} onOpen={onOpen} />
    </div>
  )
}

/** What’s on screen is read, so the member sees that. Something new in it is to be read again. */
function useReading({ question: { id, state, readByCoachAt } }: QuestionRecord) {
  const queryClient = useQueryClient()
  const { mutate } = useMutation({
    mutationFn: () => parseResponse(Done, api.api.admin.questions({ id }).read.post()),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: questionQuery(id).queryKey }),
        queryClient.invalidateQueries({ queryKey: [adminKey, 'list', questionList.name] }),
      ]),
  })
  const isUnread = readByCoachAt === null && state !== 'withdrawn'
  useEffect(() => {
    if (isUnread) mutate()
  }, [isUnread, mutate])
}

function Head({ record: { question, member }, onClose }: Pick<OpenedProps, 'record' | 'onClose'>) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { video, call, state, askedAt } = question
  return (
    <header className="asked__head">
      <div>
        <h2 ref={heading} tabIndex={-1}>
          <MemberLink id={member.id}>{member.name}</MemberLink>
        </h2>
        <p className="asked__facts">
          <span>{member.tier ?? 'No access now'}</span>
          <TextAnchor href={`mailto:${member.email}`}>{member.email}</TextAnchor>
          <Badge tone={questionTones[state]}>{questionStateLabels[state]}</Badge>
        </p>
        <p className="second">
          Asked {receivedAt(askedAt)}
          {call && `, after the call on ${receivedAt(call.startsAt)}`}
          {video && (
            <>
              {', about '}
              {video.id === null ? (
                `${video.title}, a video that’s been deleted`
              ) : (
                <PlaceLink place="videos" search={{ lesson: video.id }}>
                  {videoAskedAt(video)}
                </PlaceLink>
              )}
            </>
          )}
        </p>
      </div>
      <IconButton icon="cross" label="Close this view" className="asked__shut" onClick={onClose} />
    </header>
  )
}

/** Whether they’ve seen the last answer. */
function ReadByMember({ record: { question, member } }: Pick<OpenedProps, 'record'>) {
  const { messages, readByMemberAt } = question
  if (messages.at(-1)?.author !== 'coach') return null
  return (
    <p className="second">
      {readByMemberAt === null
        ? `${member.name} hasn’t read it yet.`
        : `${member.name} read it on ${receivedAt(readByMemberAt)}.`}
    </p>
  )
}

/** A closed question is reopened before it’s answered. */
function Answering({ record, onSent }: Pick<OpenedProps, 'record'> & { onSent: () => void }) {
  const { question, member } = record
  const step = useStep(record)
  if (question.state === 'closed')
    return (
      <Closed problem={step.problem}>
        <Button isSmall isBusy={step.isPending} busyLabel="Reopening…" onClick={() => step.mutate('reopen')}>
          Reopen the question
        </Button>
      </Closed>
    )
  return (
    <>
      <AnswerForm question={question} member={member} onSent={onSent} />
      <div className="acts">
        <Button isSmall look="line" isBusy={step.isPending} busyLabel="Closing…" onClick={() => step.mutate('close')}>
          {question.state === 'answered' ? 'Close the question' : 'Close without an answer'}
        </Button>
      </div>
      {step.problem && <Banner tone="bad" role="alert" title={step.problem} />}
    </>
  )
}

const Closed = ({ problem, children }: { problem: string | null; children: ReactNode }) => (
  <>
    <Banner title="This question is closed" icon="lock" action={children}>
      It’s off the list of questions to answer. They can still read it.
    </Banner>
    {problem && <Banner tone="bad" role="alert" title={problem} />}
  </>
)

function useStep({ question: { id, version }, member }: QuestionRecord) {
  const queryClient = useQueryClient()
  return useAdminAction({
    schema: QuestionRecord,
    send: (step: 'close' | 'reopen') => api.api.admin.questions({ id })[step].post({ version }),
    failure: 'We couldn’t change the question.',
    done: ({ question: { state } }) => ({
      title: state === 'closed' ? 'Question closed' : 'Question reopened',
      description: member.name,
    }),
    onDone: (record) => queryClient.setQueryData(questionQuery(id).queryKey, record),
    // What’s on screen is from before someone else’s change: shown as it is now, it’s decided again.
    onFailure: () => {
      queryClient.invalidateQueries({ queryKey: questionQuery(id).queryKey }).catch(reportError)
    },
  })
}
