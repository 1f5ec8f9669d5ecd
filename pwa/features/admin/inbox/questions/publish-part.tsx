import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { choiceField, formOf, textField } from '#pwa/features/admin/kit/forms/form-parts.tsx'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { TakeDownDialog } from '#pwa/features/admin/kit/inbox/take-down-dialog.tsx'
import { ListState } from '#pwa/features/admin/kit/list/list.tsx'
import { allVideosQuery } from '#pwa/features/admin/kit/video-queries.ts'
import { api } from '#pwa/lib/api.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import type { AdminVideo } from '#shared/contract/admin-video.ts'
import { PublishRequest, QuestionRecord, questionTextLimit } from '#shared/contract/questions.ts'
import { questionQuery } from './queries.ts'

/** What’s below a video. The server answers with the whole question, and refuses with what’s published now. */
const Published = QuestionRecord.entries.published.wrapped
const SavedPublished = v.pipe(
  v.union([
    Published,
    v.pipe(
      QuestionRecord,
      v.transform(({ published }) => published),
    ),
  ]),
  Published,
)

type Props = { record: QuestionRecord }

export function PublishPart({ record }: Props) {
  const [dialog, setDialog] = useState<'publish' | 'take-down' | null>(null)
  const queryClient = useQueryClient()
  const { published } = record
  const title = useVideoTitle(published?.videoId)
  const whyNot = published === null ? whyNotPublished(record) : null
  const close = () => setDialog(null)
  return (
    <section className="asked__publish" aria-labelledby="asked-publish">
      <h3 id="asked-publish">For other members</h3>
      {whyNot !== null ? (
        <p className="second">{whyNot}</p>
      ) : published === null ? (
        <p className="second">
          You can publish this below a video, in your own words. No name goes with it. We’ll tell {record.member.name}.
        </p>
      ) : (
        <>
          <p className="second">It’s below {title === undefined ? 'a video' : `“${title}”`}.</p>
          <p className="entry__words">
            <b>{published.question}</b>
          </p>
          <p className="entry__words">{published.answer}</p>
        </>
      )}
      {whyNot === null && (
        <div className="acts">
          <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setDialog('publish')}>
            {published === null ? 'Publish below a video' : 'Edit what’s published'}
          </Button>
          {published !== null && (
            <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setDialog('take-down')}>
              Take it down
            </Button>
          )}
        </div>
      )}
      {dialog === 'publish' && <PublishDialog record={record} onClose={close} />}
      {dialog === 'take-down' && published !== null && (
        <TakeDownDialog
          publishedId={published.id}
          onDone={() =>
            queryClient.setQueryData(questionQuery(record.question.id).queryKey, { ...record, published: null })
          }
          onClose={close}
        />
      )}
    </section>
  )
}

function whyNotPublished({ question: { mayPublish, messages }, member }: QuestionRecord): string | null {
  if (!mayPublish) return `${member.name} hasn’t said you can publish this, so it stays between you.`
  if (!messages.some(({ author }) => author === 'coach'))
    return 'Once you’ve answered, you can publish it below a video.'
  return null
}

const useVideoTitle = (id: string | undefined) => {
  const { data } = useQuery({ ...allVideosQuery, enabled: id !== undefined })
  return data?.find((video) => video.id === id)?.title
}

type Texts = Pick<PublishRequest, 'videoId' | 'question' | 'answer'>

const publishForm = (videos: Readonly<Record<string, string>>) =>
  formOf<Texts>([
    choiceField('videoId', 'Below the video', { '': 'Choose a video', ...videos }, { required: true }),
    textField('question', 'Question', {
      required: true,
      maxLength: 1000,
      hint: 'In your own words. Leave out names, places and anything only they would know.',
    }),
    textField('answer', 'Answer', { required: true, maxLength: questionTextLimit }),
  ])

type DialogProps = Props & { onClose: () => void }

function PublishDialog({ record, onClose }: DialogProps) {
  const { question, member, published } = record
  const queryClient = useQueryClient()
  const { data: videos, ...state } = useQuery({ ...allVideosQuery, select: titlesOf })
  const form = publishForm(videos ?? {})
  return (
    <Dialog
      isOpen
      isWide
      onClose={onClose}
      title={published === null ? 'Publish below a video' : 'Edit what’s published'}
    >
      <ListState {...state} />
      {videos && (
        <RowForm
          label="What other members see"
          className="fields"
          draft={`publish:${question.id}`}
          schema={PublishRequest}
          row={SavedPublished}
          valuesOf={form.valuesOf}
          read={(typed) => ({ ...form.read(typed), version: Number(typed.version) })}
          compared={form.compared}
          begin={() => form.valuesOf(published ?? beginningOf(record))}
          send={(request, { version }) =>
            api.api.admin.questions({ id: question.id }).published.put({ ...request, version })
          }
          failure="We couldn’t publish it."
          done={() => ({
            title: published === null ? 'Published' : 'Saved',
            description: published === null ? `We’ve told ${member.name}.` : 'Members see it now.',
          })}
          submit={published === null ? 'Publish' : 'Save'}
          says={({ question: asked = '', answer = '' }) => namesIn(`${asked} ${answer}`, member.name)}
          cancel="Leave it"
          onClose={() => {
            queryClient.invalidateQueries({ queryKey: questionQuery(question.id).queryKey }).catch(reportError)
            onClose()
          }}
        >
          {form.draw}
        </RowForm>
      )}
    </Dialog>
  )
}

/** Most answers begin with “Hi Sam”. A name may be a word too, so it’s only said. */
function namesIn(text: string, name: string): string {
  const found = name.split(/\s+/).filter((part) => part.length > 1 && wordsIn(text).includes(part))
  return found.length === 0 ? '' : `“${found.join(' ')}” is in it. Take out their name before you publish.`
}

const wordsIn = (text: string): string[] => text.split(/[^\p{L}\p{N}’'-]+/u).map((word) => word.replace(/[’']s?$/u, ''))

/** What members can open, by title. */
const titlesOf = (videos: readonly AdminVideo[]) =>
  Object.fromEntries(videos.filter(({ isPublished }) => isPublished).map(({ id, title }) => [id, title]))

/** As it was asked and last answered. An owner words it anew. */
function beginningOf({ question: { video, messages } }: QuestionRecord): Texts & { version: number } {
  const asked = messages.find(({ author }) => author === 'member')?.text ?? ''
  const answered = messages.findLast(({ author }) => author === 'coach')?.text ?? ''
  return { videoId: video?.id ?? '', question: asked.slice(0, 1000), answer: answered, version: 0 }
}
