import { type FormEvent, lazy, Suspense, useState } from 'react'
import StorageNotice from '#pwa/features/chrome/storage-notice.tsx'
import { roomIn } from '#pwa/features/questions/question-room-texts.ts'
import { loadFile } from '#pwa/lib/load-file.ts'
import { useStorageTrouble } from '#pwa/lib/storage-trouble.ts'
import { isRecordedSomewhere } from '#pwa/lib/voice/recording-lock.ts'
import type { DraftHandle } from '#pwa/sync/questions/hooks.ts'
import type { DraftChange } from '#pwa/sync/questions/shapes.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, TextAreaField } from '#pwa/ui/field.tsx'
import { plural } from '#shared/rules/plural.ts'
import { useDraftVoice } from './use-draft-voice.ts'

const PhotoField = lazy(async () => ({
  default: (await loadFile(() => import('#pwa/features/questions/photos/photo-field.tsx'))).PhotoField,
}))
const VoiceRecorder = lazy(async () => ({
  default: (await loadFile(() => import('#pwa/features/questions/recorder/voice-recorder.tsx'))).VoiceRecorder,
}))

type Props = {
  handle: DraftHandle
  label: string
  sendLabel: string
  /** Only of a new question: what's added later comes with it. */
  asksToPublish?: boolean
  /** Photos are still on their way into it. */
  isWaiting?: boolean
  onKept: (questionId: string, messageId: string) => void
}

/** What's said: words, photos, a voice note. All of it is kept on this phone as it's made. */
export function Composer({ handle, label, sendLabel, asksToPublish, isWaiting = false, onKept }: Props) {
  const { draft, change, addPhoto, removeFile, ask } = handle
  // Ahead of the store, which answers in a moment of its own.
  const [typed, setTyped] = useState<DraftChange>({})
  const [isBusy, setBusy] = useState(false)
  const [isRecording, setRecording] = useState(false)
  const [adding, setAdding] = useState<'busy' | 'failed' | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const voice = useDraftVoice(handle)
  const trouble = useStorageTrouble()
  const text = typed.text ?? draft?.text ?? ''
  const type = (next: DraftChange) => {
    setTyped((before) => ({ ...before, ...next }))
    setProblem(null)
    change(next)
  }
  const { over, ...room } = roomIn(text)
  const send = async () => {
    const reason = whyNot({
      over,
      isRecording,
      isRecordedElsewhere: !isRecording && draft?.voice?.isOpen === true && (await isRecordedSomewhere()),
      isShrinking: adding === 'busy' || isWaiting,
      isEmpty: isNothing(text, handle, voice.note !== null),
    })
    setProblem(reason)
    if (reason !== null) return
    setBusy(true)
    try {
      await voice.keep()
      const outcome = await ask()
      if (outcome.kind === 'kept') {
        setTyped({})
        voice.forget()
        onKept(outcome.questionId, outcome.id)
      } else if (outcome.kind === 'empty' && text.trim() !== '') {
        // Another tab has sent the draft. What's in the box here may say more, so it begins the next one.
        change({ ...typed, text })
        setProblem(sentElsewhereText)
      } else setProblem(outcome.kind === 'empty' ? nothingText : outcome.message)
    } catch (error) {
      reportError(error)
      setProblem(
        'We couldn’t save it on this phone. Keep this page open and press Send again. If it won’t go, free up some space.',
      )
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isBusy) void send()
  }
  return (
    <form className="asking" noValidate onSubmit={submit}>
      {trouble && <StorageNotice trouble={trouble} isHere />}
      <TextAreaField
        label={label}
        value={text}
        disabled={draft === undefined}
        onChange={({ target }) => type({ text: target.value })}
        {...room}
      />
      <Suspense fallback={<p role="status">Loading…</p>}>
        <PhotoField
          photos={draft?.photos ?? []}
          onAdd={addPhoto}
          onRemove={removeFile}
          onBusy={(isAdding, hasFailed) => setAdding(isAdding ? 'busy' : hasFailed ? 'failed' : null)}
        />
        <VoiceRecorder
          keeper={voice.keeper}
          note={voice.note}
          onNote={voice.onNote}
          onBusy={setRecording}
          adding={isWaiting ? 'busy' : adding}
          hearer="our coaches"
        />
      </Suspense>
      {asksToPublish && (
        <CheckField
          label="You can publish this without my name, to help other members"
          checked={typed.mayPublish ?? draft?.mayPublish ?? false}
          onChange={({ target }) => type({ mayPublish: target.checked })}
        />
      )}
      {problem && (
        <Banner tone="bad" role="alert" title="Not sent yet">
          {problem}
        </Banner>
      )}
      <div className="acts">
        <Button type="submit" icon="arrow" isBusy={isBusy} busyLabel="Saving on this phone…">
          {sendLabel}
        </Button>
      </div>
    </form>
  )
}

const sentElsewhereText = 'You’ve already sent this from another tab. Change it first, or it goes twice.'
const nothingText = 'Write something, add a photo or record a voice note.'

const isNothing = (text: string, { draft }: DraftHandle, hasVoice: boolean) =>
  text.trim() === '' && !draft?.photos.length && !hasVoice

type Reasons = {
  over: number
  isRecording: boolean
  isRecordedElsewhere: boolean
  isShrinking: boolean
  isEmpty: boolean
}

function whyNot({ over, isRecording, isRecordedElsewhere, isShrinking, isEmpty }: Reasons): string | null {
  if (isRecording) return 'You’re still recording. Press Done first.'
  if (isRecordedElsewhere) return 'You’re recording in another tab. Press Done there first.'
  if (isShrinking) return 'Your photos aren’t ready yet. Try again in a few seconds.'
  if (over > 0) return `Shorten your text by ${plural(over, 'character')}.`
  return isEmpty ? nothingText : null
}
