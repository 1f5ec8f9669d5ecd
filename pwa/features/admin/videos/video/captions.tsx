import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { useWrittenField, writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { choicesQuery, readMediaText } from '#pwa/features/admin/kit/media/queries.ts'
import { Button } from '#pwa/ui/button.tsx'
import { classNames } from '#pwa/ui/class-names.ts'
import { DropHint } from '#pwa/ui/drop-hint.tsx'
import { SelectField, TextAreaField } from '#pwa/ui/field.tsx'
import { useFileDrop } from '#pwa/ui/use-file-drop.ts'
import { videoTextLengths } from '#shared/contract/admin-video.ts'
import { decodeText } from '#shared/rules/encoding.ts'
import { plural } from '#shared/rules/plural.ts'
import { normaliseCaptions, readCaptions, transcriptOf } from '#shared/values/captions.ts'

type Props = Pick<RowFormParts, 'values' | 'errors'>

/** Captions can be dropped, typed or pasted. The transcript is made from them, and can be corrected. */
export function CaptionFields({ values, errors }: Props) {
  const captions = useRef<HTMLTextAreaElement>(null)
  const transcript = useRef<HTMLTextAreaElement>(null)
  const [told, setTold] = useState('')
  const makeTranscript = () => {
    const read = readCaptions(captions.current?.value ?? '')
    if ('problem' in read) return setTold(read.problem)
    writeField(transcript.current, transcriptOf(read.cues))
    setTold('Transcript made from the captions. Read it through, then save.')
  }
  const take = (text: string, name: string) => {
    writeField(captions.current, text)
    const read = readCaptions(text)
    if ('problem' in read) return setTold(read.problem)
    const loaded = `${plural(read.cues.length, 'caption')} loaded from ${name}.`
    if (transcript.current?.value.trim() !== '') return setTold(loaded)
    writeField(transcript.current, transcriptOf(read.cues))
    setTold(`${loaded} We’ve made the transcript from them: read it through.`)
  }
  return (
    <div className="lessonpart">
      <CaptionFile onTake={take} onTold={setTold} />
      <p role="status">{told && <b>{told}</b>}</p>
      <LibraryCaptions values={values} onTake={take} onTold={setTold} />
      <TextAreaField
        ref={captions}
        label="Captions"
        name="captions"
        maxLength={videoTextLengths.captions}
        spellCheck={false}
        hint="They show on videos you upload here. YouTube and the like show their own."
        defaultValue={values.captions}
        error={errors.captions}
      />
      <div className="acts">
        <Button look="line" isSmall icon="list" onClick={makeTranscript}>
          Make transcript from captions
        </Button>
      </div>
      <TextAreaField
        ref={transcript}
        label="Transcript"
        name="transcript"
        maxLength={videoTextLengths.transcript}
        defaultValue={values.transcript}
        error={errors.transcript}
      />
    </div>
  )
}

type Take = { onTake: (captions: string, name: string) => void; onTold: (sentence: string) => void }

function CaptionFile({ onTake, onTold }: Take) {
  const input = useRef<HTMLInputElement>(null)
  const read = async ([file]: readonly File[]) => {
    if (file === undefined) return
    const given = decodeText(new Uint8Array(await file.arrayBuffer()))
    const text = normaliseCaptions(given)
    const hasProblem = 'problem' in readCaptions(given)
    // The owner can correct a bad line by hand, and finds it by its number in the file. Without this header it’s some other kind of file.
    if (hasProblem && !text.startsWith('WEBVTT'))
      return onTold(`${file.name} isn’t a captions file. Choose one that ends in .vtt, .srt or .sbv.`)
    onTake(hasProblem ? given : text, file.name)
  }
  const take = (files: readonly File[]) => void read(files).catch(reportError)
  const { isOver, zone } = useFileDrop(take)
  return (
    <div className={classNames('uploadhere uploadhere--zone', isOver && 'uploadhere--over')} {...zone}>
      <input
        ref={input}
        type="file"
        hidden
        accept=".vtt,.srt,.sbv,text/vtt"
        aria-label="Captions from a file"
        onChange={({ target }) => {
          take([...(target.files ?? [])])
          // So that choosing the same file again, once corrected, fires `change`.
          target.value = ''
        }}
      />
      <Button look="line" isSmall icon="share" onClick={() => input.current?.click()}>
        Choose captions
      </Button>
      <p className="second">
        A .vtt, .srt or .sbv file. <DropHint>Or drop it here.</DropHint>
      </p>
    </div>
  )
}

/** The video follows the library’s file until its captions are edited here. */
function LibraryCaptions({ values, onTake, onTold }: Take & Pick<Props, 'values'>) {
  const { data: files = [] } = useQuery(choicesQuery(['captions']))
  // Not the select’s own value: it can’t hold a file that the library hasn’t listed yet.
  const { field, value, write } = useWrittenField('captionsFrom', values.captionsFrom)
  const take = async (id: string) => {
    const file = files.find((one) => one.id === id)
    if (file === undefined) return write('')
    const text = await readMediaText(file.address).catch(() => null)
    if (text === null) return onTold(`We couldn’t read ${file.name}. Check your signal and choose it again.`)
    onTake(text, file.name)
    write(id)
  }
  return (
    <>
      <input type="hidden" {...field} />
      <SelectField
        label="Captions from the library"
        value={value}
        hint="Replace the file in Media and these captions change too, unless you’ve edited them."
        onChange={({ target }) => void take(target.value).catch(reportError)}
      >
        <option value="">None</option>
        {value !== '' && files.every(({ id }) => id !== value) && <option value={value}>The file they’re from</option>}
        {files.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
    </>
  )
}
