import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import * as v from 'valibot'
import { readOwnerDraft, removeOwnerDraft, saveOwnerDraft } from '#pwa/features/admin/draft-storage.ts'
import { choicesQuery } from '#pwa/features/admin/site/media/queries.ts'
import { UploadHere } from '#pwa/features/admin/site/media/upload-here.tsx'
import { type ActionCall, useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { AdminVideo } from '#shared/contract/admin-video.ts'
import type { MediaFile } from '#shared/contract/media.ts'
import { formatBytes, kindOfMedia, type MediaKind, mediaNamedIn } from '#shared/rules/media.ts'

/** `title`: a handout’s, which members read. */
type Part = { file: string; title: string }

const partsOfFilms = ({ files = [] }: AdminVideo): Part[] =>
  [...mediaNamedIn(files.join(' '))].map((file) => ({ file, title: '' }))
const partsOfHandouts = ({ handouts = [] }: AdminVideo): Part[] =>
  handouts.flatMap(({ address, title }) => [...mediaNamedIn(address)].map((file) => ({ file, title })))

const filmKinds = ['film', 'sound'] as const
const handoutKinds = ['document', 'picture', 'sound'] as const

export default function VideoFilesForm({ video }: { video: AdminVideo }) {
  return (
    <div className="lessonfiles">
      <p className="second">
        Upload files here, or choose members-only ones from{' '}
        <TextLink to="/admin/$place" params={{ place: 'media' }}>
          Media
        </TextLink>
        .
      </p>
      <FilesPart
        video={video}
        draft={`lesson-films-${video.id}`}
        title="Our own video or audio"
        hint="Plays instead of the host’s. Phones play the first one they can."
        kinds={filmKinds}
        accept=".mp4,.webm,.mp3,.m4a,.ogg"
        begin={partsOfFilms(video)}
        send={(parts) =>
          api.api.admin
            .videos({ id: video.id })
            .files.put({ files: parts.map(({ file }) => file), version: video.version })
        }
      />
      <FilesPart
        video={video}
        draft={`lesson-handouts-${video.id}`}
        hasTitles
        title="Downloads"
        hint="Only members on this video’s tiers can download them."
        kinds={handoutKinds}
        accept=".pdf,.docx,.xlsx,.pptx,.jpg,.jpeg,.png,.webp,.mp3,.m4a"
        begin={partsOfHandouts(video)}
        send={(handouts) => api.api.admin.videos({ id: video.id }).handouts.put({ handouts, version: video.version })}
      />
    </div>
  )
}

type PartProps = {
  video: AdminVideo
  /** The draft’s name on this device. */
  draft: string
  title: string
  hint: string
  hasTitles?: boolean
  kinds: readonly MediaKind[]
  accept: string
  begin: Part[]
  send: (parts: Part[]) => ActionCall
}

/** `from`: the stored files when the edit began. A saved edit is kept until the video is refetched. */
const Edit = v.object({ from: v.string(), parts: v.array(v.object({ file: v.string(), title: v.string() })) })
type Edit = v.InferOutput<typeof Edit> & { isSaved?: boolean }

function readEdit(draft: string): Edit | null {
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Edit), readOwnerDraft(draft)?.edit)
  return read.success ? read.output : null
}

/** An edit survives saving another part, closing the dialog and a reload. */
function useEdit({ draft, begin }: Pick<PartProps, 'draft' | 'begin'>) {
  const [edit, setEdit] = useState(() => readEdit(draft))
  const stored = JSON.stringify(begin)
  if (edit?.isSaved && edit.from !== stored) setEdit(null)
  const undo = () => {
    removeOwnerDraft(draft)
    setEdit(null)
  }
  const setParts = (parts: Part[]) => {
    if (JSON.stringify(parts) === stored) return undo()
    const from = edit?.isSaved ? JSON.stringify(edit.parts) : (edit?.from ?? stored)
    const made = { from, parts }
    saveOwnerDraft(draft, { edit: JSON.stringify(made) })
    setEdit(made)
  }
  const settle = () => {
    removeOwnerDraft(draft)
    setEdit(edit && { ...edit, isSaved: true })
  }
  const isChanged = edit !== null && !edit.isSaved && JSON.stringify(edit.parts) !== stored
  return {
    parts: edit?.parts ?? begin,
    setParts,
    undo,
    settle,
    isChanged,
    isOvertaken: isChanged && edit.from !== stored,
  }
}

function useParts(props: PartProps) {
  const { kinds, hasTitles = false } = props
  const { data: stored = [] } = useQuery(choicesQuery(kinds))
  const [uploaded, setUploaded] = useState<MediaFile[]>([])
  const edit = useEdit(props)
  const { parts, setParts } = edit
  const choices = [...uploaded.filter(({ id }) => !stored.some((one) => one.id === id)), ...stored]
  const add = (file: MediaFile | undefined) => {
    if (file === undefined || parts.some((part) => part.file === file.id)) return
    setParts([...parts, { file: file.id, title: hasTitles ? file.name.replace(/\.\w+$/, '') : '' }])
  }
  return {
    ...{ ...edit, add },
    fileOf: (id: string) => choices.find((file) => file.id === id),
    left: choices.filter(({ id }) => !parts.some(({ file }) => file === id)),
    addUploaded: (file: MediaFile) => {
      setUploaded([...uploaded, file])
      add(file)
    },
  }
}

function FilesPart(props: PartProps) {
  const { video, title, hint, hasTitles = false, kinds, accept, send } = props
  const { parts, setParts, add, addUploaded, fileOf, left, ...edit } = useParts(props)
  const action = useAdminAction({
    schema: AdminVideo,
    send: () => send(parts),
    failure: 'We couldn’t save the files',
    done: { title: 'Files saved', description: video.title },
    onDone: edit.settle,
  })
  return (
    <section className="lessonfiles__part" aria-label={title}>
      <h3>{title}</h3>
      <p className="second">{hint}</p>
      <ul className="plain">
        {parts.map((part, at) => (
          <PartRow
            key={part.file}
            part={part}
            stored={fileOf(part.file)}
            onTitle={hasTitles ? (named) => setParts(parts.with(at, { ...part, title: named })) : null}
            onRemove={() => setParts(parts.toSpliced(at, 1))}
          />
        ))}
      </ul>
      <SelectField
        label={`Add to ${title.toLowerCase()}`}
        value=""
        onChange={({ target }) => add(fileOf(target.value))}
      >
        <option value="">{left.length === 0 ? 'No more in the library' : 'Choose a file'}</option>
        {left.map(({ id, name, bytes }) => (
          <option key={id} value={id}>{`${name} (${formatBytes(bytes)})`}</option>
        ))}
      </SelectField>
      <UploadHere
        label={`Upload to ${title.toLowerCase()}`}
        accept={accept}
        isPublic={false}
        problemOf={({ format }) => (kinds.includes(kindOfMedia(format)) ? null : 'You can’t use that here.')}
        onStored={addUploaded}
      />
      <SaveParts
        {...edit}
        label={`Save ${hasTitles ? 'downloads' : 'files'}`}
        isBusy={action.isPending}
        problem={action.problem}
        onSave={() => action.mutate()}
      />
    </section>
  )
}

type SaveProps = Pick<ReturnType<typeof useEdit>, 'isChanged' | 'isOvertaken' | 'undo'> & {
  label: string
  isBusy: boolean
  problem: string | null
  onSave: () => void
}

const SaveParts = ({ label, isChanged, isOvertaken, isBusy, problem, undo, onSave }: SaveProps) => (
  <>
    {isOvertaken && (
      <Banner role="status" title="Someone else, or another device, has changed these since">
        Your version is above. Save it to replace theirs.
      </Banner>
    )}
    {problem && <Banner tone="bad" role="alert" title={problem} />}
    <div className="acts">
      <Button isSmall disabled={!isChanged} isBusy={isBusy} busyLabel="Saving…" onClick={onSave}>
        {label}
      </Button>
      {isChanged && (
        <Button isSmall look="bare" onClick={undo}>
          Undo my changes
        </Button>
      )}
    </div>
  </>
)

type RowProps = {
  part: Part
  stored: MediaFile | undefined
  /** Null for files without a title. */
  onTitle: ((title: string) => void) | null
  onRemove: () => void
}

const PartRow = ({ part: { title }, stored, onTitle, onRemove }: RowProps) => (
  <li className="lessonfiles__row">
    <div>
      <b>{stored?.name ?? 'A file'}</b> <span className="second">{stored && formatBytes(stored.bytes)}</span>
      {onTitle && (
        <TextField
          label="What members read"
          value={title}
          maxLength={120}
          onChange={({ target }) => onTitle(target.value)}
        />
      )}
    </div>
    <IconButton icon="cross" label={`Remove ${stored?.name ?? 'the file'}`} onClick={onRemove} />
  </li>
)
