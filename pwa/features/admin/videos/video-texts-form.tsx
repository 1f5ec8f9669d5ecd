import { useQuery } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { RowForm, type RowFormParts, valuesIn } from '#pwa/features/admin/row-form.tsx'
import { choicesQuery, readMediaText } from '#pwa/features/admin/site/media/queries.ts'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'
import { LessonTexts } from '#pwa/features/members/lesson/lesson-words.tsx'
import { api } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField, TextAreaField } from '#pwa/ui/field.tsx'
import { Skeleton } from '#pwa/ui/skeleton.tsx'
import { type AdminVideo, VideoTexts, VideoTextsRequest, videoTextLengths } from '#shared/contract/admin-video.ts'
import { normaliseCaptions, readCaptions, transcriptOf } from '#shared/rules/captions.ts'
import { formatPosition } from '#shared/rules/video.ts'
import { videoTextsQuery } from './queries.ts'

type Props = { video: AdminVideo; onClose: () => void }

export default function VideoTextsForm({ video, onClose }: Props) {
  const { data, error, isFetching, refetch } = useQuery(videoTextsQuery(video.id))
  if (data) return <TextsForm {...{ video, onClose }} texts={data} />
  if (error === null) return <Skeleton size="block" />
  return (
    <Banner
      tone="bad"
      role="status"
      title={messageOf(error, 'We couldn’t load the texts.')}
      action={
        <Button look="line" isSmall icon="sync" isBusy={isFetching} onClick={() => refetch()}>
          Try again
        </Button>
      }
    />
  )
}

const valuesOf = ({ notes, transcript, captions, captionsFrom, version }: VideoTexts) => ({
  notes: notes ?? '',
  transcript: transcript ?? '',
  captions: captions ?? '',
  captionsFrom: captionsFrom ?? '',
  version: String(version),
})

const TextsForm = ({ video, texts, onClose }: Props & { texts: VideoTexts }) => (
  <RowForm
    label="Notes, transcript and captions"
    className="fields videoform"
    draft={`video-texts-${video.id}`}
    schema={VideoTextsRequest}
    read={(typed) => ({ ...typed, captionsFrom: typed.captionsFrom || null, version: Number(typed.version) })}
    row={VideoTexts}
    begin={() => valuesOf(texts)}
    valuesOf={valuesOf}
    send={(request, { version }) => api.api.admin.videos({ id: video.id }).texts.put({ ...request, version })}
    failure="We couldn’t save the texts"
    done={() => ({ title: 'Texts saved', description: video.title })}
    compared={[
      ['Notes', ({ notes }) => notes ?? ''],
      ['Transcript', ({ transcript }) => transcript ?? ''],
      ['Captions', ({ captions }) => captions ?? ''],
    ]}
    submit="Save texts"
    cancel="Cancel"
    onClose={onClose}
  >
    {(parts) => <TextFields {...parts} />}
  </RowForm>
)

function TextFields(parts: RowFormParts) {
  const { values, errors, formRef } = parts
  const [shown, setShown] = useState<Record<string, string> | null>(null)
  return (
    <>
      <TextAreaField
        label="Notes"
        name="notes"
        rows={6}
        maxLength={videoTextLengths.notes}
        hint="Leave an empty line between paragraphs. Start lines with “- ” for a list."
        defaultValue={values.notes}
        error={errors.notes}
      />
      <CaptionFields {...parts} />
      <TextAreaField
        label="Transcript"
        name="transcript"
        rows={8}
        maxLength={videoTextLengths.transcript}
        defaultValue={values.transcript}
        error={errors.transcript}
      />
      <div className="acts">
        <Button
          look="line"
          isSmall
          icon="eye"
          aria-expanded={shown !== null}
          onClick={() => setShown(valuesIn(formRef))}
        >
          {shown ? 'Preview again' : 'Preview'}
        </Button>
      </div>
      {shown && <Preview values={shown} />}
    </>
  )
}

/** Captions can be typed, pasted or read from a file, and turned into the transcript. */
function CaptionFields({ values, errors, formRef }: RowFormParts) {
  const [told, setTold] = useState('')
  const takeFile = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (file === undefined) return
    const text = normaliseCaptions(await file.text())
    // So that choosing the same file again, once corrected, fires `change`.
    target.value = ''
    const read = readCaptions(text)
    const problem = 'problem' in read ? read.problem : null
    // The owner can correct a bad line by hand. Without this header it’s some other kind of file.
    if (problem !== null && !text.startsWith('WEBVTT')) return setTold(`We couldn’t use ${file.name}. ${problem}`)
    fill(formRef.current, 'captions', text)
    setTold(problem ?? `Captions loaded from ${file.name}.`)
  }
  const makeTranscript = () => {
    const read = readCaptions(valuesIn(formRef).captions ?? '')
    if ('problem' in read) return setTold(read.problem)
    fill(formRef.current, 'transcript', transcriptOf(read.cues))
    setTold('Transcript made from the captions. Read it through, then save.')
  }
  return (
    <>
      <TextAreaField
        label="Captions (WebVTT)"
        name="captions"
        rows={8}
        maxLength={videoTextLengths.captions}
        spellCheck={false}
        hint="Type or paste them, or choose a .vtt or .srt file. They show on videos you upload here."
        defaultValue={values.captions}
        error={errors.captions}
      />
      <label className="videoform__file">
        Captions from a file
        <input type="file" accept=".vtt,.srt,text/vtt" onChange={(event) => void takeFile(event).catch(reportError)} />
      </label>
      <LibraryCaptions values={values} formRef={formRef} onTold={setTold} />
      <div className="acts">
        <Button look="line" isSmall icon="list" onClick={makeTranscript}>
          Make transcript from captions
        </Button>
        <span className="second" role="status">
          {told}
        </span>
      </div>
    </>
  )
}

type LibraryProps = Pick<RowFormParts, 'values' | 'formRef'> & { onTold: (sentence: string) => void }

/** The video follows the library’s file until its captions are edited here. */
function LibraryCaptions({ values, formRef, onTold }: LibraryProps) {
  const { data: files = [] } = useQuery(choicesQuery(['captions']))
  const take = async (id: string) => {
    const file = files.find((one) => one.id === id)
    if (file === undefined) return
    const text = await readMediaText(file.address).catch(() => null)
    if (text === null) {
      // Undo the choice: the field says which file the video follows.
      fill(formRef.current, 'captionsFrom', values.captionsFrom ?? '')
      return onTold(`We couldn’t read ${file.name}. Check your signal and choose it again.`)
    }
    fill(formRef.current, 'captions', text)
    onTold(`Captions loaded from ${file.name}.`)
  }
  // Keep the field even if the library is empty: it holds the file the video follows.
  return (
    <SelectField
      key={files.length}
      label="Captions from the library"
      name="captionsFrom"
      defaultValue={values.captionsFrom}
      hint="Linked to the file: replace it in Media and these captions update. Edit them here and the link breaks."
      onChange={({ target }) => void take(target.value).catch(reportError)}
    >
      <option value="">None</option>
      {files.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </SelectField>
  )
}

function Preview({ values: { notes = '', transcript = '', captions = '' } }: { values: Record<string, string> }) {
  const read = captions.trim() === '' ? null : readCaptions(captions)
  return (
    <section className="sheet videoform__preview" aria-label="Preview">
      <LessonTexts notes={notes.trim() || null} transcript={transcript.trim() || null} />
      {read && 'problem' in read && <p role="alert">{read.problem}</p>}
      {read && 'cues' in read && (
        <details>
          <summary>
            {read.cues.length === 1 ? '1 caption' : `${read.cues.length} captions`}, to{' '}
            {formatPosition(read.cues.at(-1)?.until ?? 0)}
          </summary>
          <ol className="plain">
            {read.cues.map(({ from, words }) => (
              <li key={`${from}:${words}`}>
                <span className="num">{formatPosition(from)}</span> {words}
              </li>
            ))}
          </ol>
        </details>
      )}
      {!notes.trim() && !transcript.trim() && !captions.trim() && <p>Nothing written yet.</p>}
    </section>
  )
}

/** Fires `input`, so that the draft is stored and the field’s error goes. */
function fill(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name) ?? null
  if (!isControl(field)) return
  field.value = value
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
