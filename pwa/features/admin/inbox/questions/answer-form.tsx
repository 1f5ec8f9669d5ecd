import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { fieldProblem } from '#pwa/features/admin/kit/forms/action-dialog.tsx'
import { useAdminAction } from '#pwa/features/admin/kit/use-admin-action.ts'
import { roomIn } from '#pwa/features/questions/question-room-texts.ts'
import { api } from '#pwa/lib/api.ts'
import { newKey } from '#pwa/lib/new-key.ts'
import { RequestError } from '#pwa/lib/request-error.ts'
import type { VoiceNote } from '#pwa/lib/voice/recording.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { TextAreaField } from '#pwa/ui/field.tsx'
import { type Question, QuestionRecord } from '#shared/contract/questions.ts'
import { AnsweredMeanwhile } from './answered-meanwhile.tsx'
import { LinkDialog } from './link-dialog.tsx'
import { questionQuery } from './queries.ts'
import { SavedRepliesDialog } from './saved-replies-dialog.tsx'
import { type Answer, answersSince, isBegun, useAnswerDraft } from './use-answer-draft.ts'
import { VoicePart } from './voice-part.tsx'
import { announceVoice, voiceSendings } from './voice-sending-store.ts'
import { keepToSend, readDraftVoice } from './voice-storage.ts'

type Props = { question: Question; member: QuestionRecord['member']; onSent: () => void }

export function AnswerForm({ question, member, onSent }: Props) {
  const { answer, isRestored, write, forget } = useAnswerDraft(question)
  const voice = useKeptVoice(question.id, answer.voice, (kept) => write({ voice: kept }))
  const [dialog, setDialog] = useState<'replies' | 'link' | null>(null)
  const [isRecording, setRecording] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const action = useSending(question, () => {
    forget()
    onSent()
  })
  const meanwhile = isBegun(answer) ? answersSince(question, answer) : []
  const { over, ...room } = roomIn(answer.text)
  const isReady = isBegun({ ...answer, text: answer.text.trim() }) && over <= 0 && !isRecording
  const send = () => {
    if (isReady) action.mutate({ answer, note: voice.note, version: question.version })
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (meanwhile.length === 0) send()
  }
  const closeDialog = () => setDialog(null)
  const problem = fieldProblem(action.error, 'videoId') ?? fieldProblem(action.error, 'postSlug') ?? action.problem
  return (
    <>
      <form className="asked__answer" aria-label={`Answer ${member.name}`} onSubmit={submit} noValidate>
        {isRestored && <p className="second">We’ve kept what you wrote. It isn’t sent yet.</p>}
        <TextAreaField
          ref={field}
          label="Your answer"
          value={answer.text}
          {...room}
          error={room.error ?? fieldProblem(action.error, 'text')}
          onChange={({ target }) => write({ text: target.value })}
        />
        {answer.link !== '' && (
          <ChosenLink
            answer={answer}
            onRemove={() => {
              // The button goes with the link.
              field.current?.focus()
              write({ linkKind: '', link: '', linkTitle: '' })
            }}
          />
        )}
        <VoicePart
          questionId={question.id}
          hearer={`${member.name} and the owners`}
          note={voice.note}
          onNote={voice.change}
          onBusy={setRecording}
        />
        <div className="acts">
          <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setDialog('replies')}>
            Use a saved reply
          </Button>
          <Button isSmall look="line" aria-haspopup="dialog" onClick={() => setDialog('link')}>
            {answer.link === '' ? 'Link a video or post' : 'Change the link'}
          </Button>
        </div>
        {meanwhile.length > 0 ? (
          <AnsweredMeanwhile
            answers={meanwhile}
            isBusy={action.isPending}
            onSend={send}
            onWrite={() => {
              write({ known: question.messages.at(-1)?.id ?? '' })
              field.current?.focus()
            }}
          />
        ) : (
          <>
            {problem && <Banner tone="bad" role="alert" title={problem} />}
            <div className="acts">
              <Button type="submit" isBusy={action.isPending} busyLabel="Sending…" disabled={!isReady}>
                Send the answer
              </Button>
            </div>
          </>
        )}
      </form>
      {dialog === 'replies' && (
        <SavedRepliesDialog
          text={answer.text}
          onChoose={(text) => {
            write({ text: answer.text === '' ? text : `${answer.text}\n\n${text}` })
            closeDialog()
          }}
          onClose={closeDialog}
        />
      )}
      {dialog === 'link' && (
        <LinkDialog
          tier={member.tierSlug}
          onChoose={(chosen) => {
            write(chosen)
            closeDialog()
          }}
          onClose={closeDialog}
        />
      )}
    </>
  )
}

/** The voice note that goes with the answer. What an earlier visit left on this device is there again. */
function useKeptVoice(questionId: string, marked: string, mark: (voice: string) => void) {
  const [note, setNote] = useState<VoiceNote | null>(null)
  const change = (recorded: VoiceNote | null) => {
    setNote(recorded)
    mark(recorded === null ? '' : 'yes')
  }
  const restore = useRef(change)
  restore.current = change
  const isMarked = useRef(marked !== '')
  useEffect(() => {
    let isOver = false
    readDraftVoice(questionId)
      .then((kept) => {
        if (!isOver && (kept !== null || isMarked.current)) restore.current(kept)
      })
      .catch(reportError)
    return () => {
      isOver = true
    }
  }, [questionId])
  return { note, change }
}

type Sent = { answer: Answer; note: VoiceNote | null; version: number }

function useSending({ id }: Question, onSent: () => void) {
  const queryClient = useQueryClient()
  const { queryKey } = questionQuery(id)
  const going = useRef<Sent>(undefined)
  return useAdminAction({
    schema: QuestionRecord,
    send: async (sent: Sent) => {
      going.current = sent
      const { answer, note, version } = sent
      return api.api.admin.questions({ id }).answers.post({
        id: answer.id,
        text: answer.text.trim(),
        files: note === null ? [] : [await announceVoice(newKey(), note.blob)],
        videoId: answer.linkKind === 'video' ? answer.link : null,
        postSlug: answer.linkKind === 'post' ? answer.link : null,
        version,
      })
    },
    failure: 'We couldn’t send the answer.',
    done: ({ member }) => ({ title: 'Answer sent', description: member.name }),
    onDone: (record) => {
      queryClient.setQueryData(queryKey, record)
      // A new answer’s form would take a voice note that’s still a draft for its own.
      beginVoice(record, going.current).catch(reportError).finally(onSent)
    },
    // The thread on screen is older than the server’s, which has the other owner’s answer: it’s shown before this one goes.
    onFailure: (error) => {
      if (error instanceof RequestError && (error.status === 409 || error.status === 404))
        queryClient.invalidateQueries({ queryKey }).catch(reportError)
    },
  })
}

/** Under the name the server knows it by: an answer that’s sent again after a lost response is the first one. */
async function beginVoice({ question }: QuestionRecord, sent: Sent | undefined): Promise<void> {
  const note = sent?.note ?? null
  const message = question.messages.find(({ id }) => id === sent?.answer.id)
  const file = message?.files.find(({ kind }) => kind === 'voice')
  if (file === undefined || note === null) return
  const going = { questionId: question.id, fileId: file.id, blob: note.blob }
  await keepToSend(going).finally(() => void voiceSendings.send(going))
}

const ChosenLink = ({ answer: { linkKind, linkTitle }, onRemove }: { answer: Answer; onRemove: () => void }) => (
  <p className="asked__link">
    <span>
      {linkKind === 'video' ? 'Video' : 'Post'}: <b>{linkTitle}</b>
    </span>
    <Button isSmall look="bare" aria-label={`Remove the link to ${linkTitle}`} onClick={onRemove}>
      Remove
    </Button>
  </p>
)
