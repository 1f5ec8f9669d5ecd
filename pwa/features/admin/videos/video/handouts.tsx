import { flushSync } from 'react-dom'
import * as v from 'valibot'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { useWrittenField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { UploadHere } from '#pwa/features/admin/kit/media/upload-here.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { DropHint } from '#pwa/ui/drop-hint.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import type { VideoRequest } from '#shared/contract/admin-video.ts'
import type { MediaFile } from '#shared/contract/media.ts'
import { formatBytes, kindOfMedia } from '#shared/values/media.ts'
import { handoutKinds, useLibrary } from './use-library.ts'

type Handout = VideoRequest['handoutFiles'][number]

const Handouts = v.pipe(v.string(), v.parseJson(), v.array(v.object({ file: v.string(), title: v.string() })))

export function handoutsTyped(typed: string | undefined): Handout[] {
  const read = v.safeParse(Handouts, typed)
  return read.success ? read.output : []
}

const takes: readonly string[] = handoutKinds
const problemOf = ({ format }: MediaFile) => (takes.includes(kindOfMedia(format)) ? null : 'You can’t use that here.')

const kindsHint = (
  <>
    PDF, Word, Excel, PowerPoint, pictures or audio. <DropHint>Or drop them here.</DropHint>
  </>
)

/** Files members can keep, by the name they read. */
export function HandoutFields({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) {
  const { field, value, write } = useWrittenField('handoutFiles', values.handoutFiles)
  const { files, fileOf, addUploaded } = useLibrary(handoutKinds)
  const handouts = handoutsTyped(value)
  const set = (next: readonly Handout[]) => write(JSON.stringify(next))
  const add = (file: MediaFile | undefined) => {
    if (file === undefined || handouts.some((one) => one.file === file.id)) return
    set([...handouts, { file: file.id, title: file.name.replace(/\.\w+$/, '') }])
  }
  const move = (at: number, by: number) => {
    const moved = handouts[at]
    if (moved) set(handouts.toSpliced(at, 1).toSpliced(at + by, 0, moved))
  }
  return (
    <div className="lessonpart">
      <input type="hidden" {...field} />
      <ol className="plain">
        {handouts.map((handout, at) => (
          <HandoutRow
            key={handout.file}
            handout={handout}
            stored={fileOf(handout.file)}
            error={errors[`handoutFiles.${at}.title`]}
            onTitle={(title) => set(handouts.with(at, { ...handout, title }))}
            onMove={(by) => move(at, by)}
            isFirst={at === 0}
            isLast={at === handouts.length - 1}
            onRemove={() => set(handouts.toSpliced(at, 1))}
          />
        ))}
      </ol>
      <UploadHere
        label="Upload downloads"
        hint={kindsHint}
        accept=".pdf,.docx,.xlsx,.pptx,.jpg,.jpeg,.png,.webp,.mp3,.m4a"
        isMany
        isPublic={false}
        problemOf={problemOf}
        onStored={(file) => {
          addUploaded(file)
          add(file)
        }}
      />
      <SelectField label="A download from the library" value="" onChange={({ target }) => add(fileOf(target.value))}>
        <option value="">Choose a file</option>
        {files
          .filter(({ id }) => !handouts.some(({ file }) => file === id))
          .map(({ id, name, bytes }) => (
            <option key={id} value={id}>{`${name} (${formatBytes(bytes)})`}</option>
          ))}
      </SelectField>
      {errors.handoutFiles && (
        <p className="field__err" role="alert">
          {errors.handoutFiles}
        </p>
      )}
    </div>
  )
}

type RowProps = {
  handout: Handout
  stored: MediaFile | undefined
  error: string | undefined
  onTitle: (title: string) => void
  onMove: (by: number) => void
  isFirst: boolean
  isLast: boolean
  onRemove: () => void
}

const HandoutRow = ({ handout, stored, error, onTitle, onMove, isFirst, isLast, onRemove }: RowProps) => (
  <li className="lessonpart__row">
    <div>
      <b>{stored?.name ?? 'A file'}</b> <span className="second">{stored && formatBytes(stored.bytes)}</span>
      <TextField
        label="Name that members see"
        value={handout.title}
        maxLength={120}
        autoComplete="off"
        error={error}
        onChange={({ target }) => onTitle(target.value)}
      />
    </div>
    <div className="acts">
      <MoveButton label={`Move ${handout.title} up`} isAtEnd={isFirst} arrow="↑" onMove={() => onMove(-1)} />
      <MoveButton label={`Move ${handout.title} down`} isAtEnd={isLast} arrow="↓" onMove={() => onMove(1)} />
      <Button isSmall look="line" aria-label={`Remove ${handout.title}`} onClick={onRemove}>
        Remove
      </Button>
    </div>
  </li>
)

type MoveProps = { label: string; isAtEnd: boolean; arrow: string; onMove: () => void }

const MoveButton = ({ label, isAtEnd, arrow, onMove }: MoveProps) => (
  <Button
    isSmall
    look="line"
    aria-label={label}
    // `disabled` would lose the focus.
    aria-disabled={isAtEnd || undefined}
    onClick={({ currentTarget }) => {
      if (isAtEnd) return
      flushSync(onMove)
      // A row that moves is put in again, and its button loses the focus.
      currentTarget.focus()
    }}
  >
    <span aria-hidden="true">{arrow}</span>
  </Button>
)
