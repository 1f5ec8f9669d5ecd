import { useEffect, useRef } from 'react'
import { useOpenEntry } from '#pwa/features/admin/kit/inbox/entry-list.tsx'
import { receivedAt } from '#pwa/features/admin/kit/inbox/inbox-texts.ts'
import { questionList } from '#pwa/features/admin/kit/inbox/queries.ts'
import { enclosedText, standingOf, standingTone } from '#pwa/features/admin/kit/inbox/question-texts.ts'
import { ListSection } from '#pwa/features/admin/kit/list/list.tsx'
import type { Column } from '#pwa/features/admin/kit/list/list-table.tsx'
import { Badge } from '#pwa/ui/badge.tsx'
import { IconButton } from '#pwa/ui/button.tsx'
import type { InboxQuestion } from '#shared/contract/questions.ts'
import { videoAskedAt } from '#shared/rules/video.ts'
import { OpenQuestion } from './open-question.tsx'
import { SavedRepliesButton } from './saved-replies-dialog.tsx'
import { voiceSendings } from './voice-sending-store.ts'
import './questions.css'

const aboutOf = ({ video }: InboxQuestion) => (video === null ? '' : videoAskedAt(video))

const columns: readonly Column<InboxQuestion>[] = [
  {
    label: 'Member',
    kind: 'who',
    cell: ({ member }) => (
      <>
        {member.name}
        <small>{member.tier ?? 'No access now'}</small>
      </>
    ),
    text: [
      ['Member', ({ member }) => member.name],
      ['Email', ({ member }) => member.email],
      ['Tier', ({ member }) => member.tier ?? ''],
    ],
  },
  {
    label: 'Question',
    cell: (row) => (
      <div className="asked__words">
        <span className="entry__short" dir="auto">
          {row.excerpt}
        </span>
        {enclosedText(row) && <small>{enclosedText(row)}</small>}
      </div>
    ),
    text: [
      ['Question', ({ excerpt }) => excerpt],
      ['Attached', enclosedText],
    ],
  },
  { label: 'Video', dropOrder: 2, cell: aboutOf, text: aboutOf },
  { label: 'Asked', dropOrder: 1, cell: ({ askedAt }) => receivedAt(askedAt), text: ({ askedAt }) => askedAt },
  {
    label: 'Status',
    cell: (row) => <Badge tone={standingTone(row)}>{standingOf(row)}</Badge>,
    text: standingOf,
  },
]

const filters = [
  ['', 'All'],
  ['waiting', 'Not answered'],
  ['answered', 'Answered'],
  ['closed', 'Closed'],
] as const

/** The list, and the question that's open beside it. On a phone it takes the list's place. */
export default function QuestionsSection() {
  const { openId, open, close } = useOpenEntry()
  const list = useRef<HTMLDivElement>(null)
  useFocusAfter(list, openId)
  useEffect(() => void voiceSendings.resume().catch(reportError), [])
  return (
    <div className={openId === undefined ? 'asked' : 'asked asked--open'}>
      <div className="asked__list" ref={list}>
        <ListSection
          title="Questions"
          list={questionList}
          columns={columns}
          filters={filters}
          searchLabel="Find a question"
          empty={{ title: 'No questions yet', text: 'What members ask you shows up here.' }}
          noneTexts={{ waiting: 'You’ve answered everything' }}
          tools={<SavedRepliesButton />}
          actions={({ id, member }) => (
            <IconButton
              icon="arrow"
              label={`Open ${member.name}’s question`}
              aria-current={id === openId ? 'true' : undefined}
              data-question={id}
              onClick={() => open(id)}
            />
          )}
        />
      </div>
      {openId !== undefined && <OpenQuestion key={openId} id={openId} onOpen={open} onClose={close} />}
    </div>
  )
}

/** Back in the list, the focus is where it was. */
function useFocusAfter(list: React.RefObject<HTMLElement | null>, openId: string | undefined) {
  const last = useRef(openId)
  useEffect(() => {
    const left = last.current
    last.current = openId
    if (left === undefined || openId !== undefined) return
    list.current?.querySelector<HTMLElement>(`[data-question="${CSS.escape(left)}"]`)?.focus()
  }, [openId, list])
}
