import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { choicesQuery } from '#pwa/features/admin/media/queries.ts'
import { UploadHere } from '#pwa/features/admin/media/upload-here-section.tsx'
import { type ActionCall, useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { TextLink } from '#pwa/ui/link.tsx'
import { AdminVideo } from '#shared/contract/admin-video.ts'
import type { MediaFile } from '#shared/contract/media.ts'
import { formatBytes, kindOfMedia, type MediaKind, mediaNamedIn } from '#shared/rules/media.ts'

/** One file of a lesson. `title` is what members read of a hand-out. */
type Part = { file: string; title: string }

const partsOfFilms = ({ files = [] }: AdminVideo): Part[] =>
  [...mediaNamedIn(files.join(' '))].map((file) => ({ file, title: '' }))
const partsOfHandouts = ({ handouts = [] }: AdminVideo): Part[] =>
  handouts.flatMap(({ address, title }) => [...mediaNamedIn(address)].map((file) => ({ file, title })))

const filmKinds = ['film', 'sound'] as const
const handoutKinds = ['document', 'picture', 'sound'] as const

/** The files of a lesson: what plays in place of the host's film, and what members can keep. */
export default function VideoFilesForm({ video }: { video: AdminVideo }) {
  return (
    <div className="lessonfiles">
      <p className="second">
        Upload files here, or choose from those that are for members at{' '}
        <TextLink to="/admin/$place" params={{ place: 'media' }}>
          Media
        </TextLink>
        .
      </p>
      <FilesPart
        key={`films-${video.version}`}
        video={video}
        title="Film or sound of our own"
        hint="Played in place of the host’s. The first that a phone can play is taken."
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
        key={`handouts-${video.version}`}
        video={video}
        hasTitles
        title="Hand-outs"
        hint="Members of this lesson’s tiers can download them, and nobody else."
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
  title: string
  hint: string
  hasTitles?: boolean
  kinds: readonly MediaKind[]
  /** What file choosers offer first. */
  accept: string
  begin: Part[]
  send: (parts: Part[]) => ActionCall
}

/** The files of one part as they stand in the form, and those that can be added: of the library, and uploaded here just now. */
function useParts({ begin, kinds, hasTitles = false }: PartProps) {
  const { data: stored = [] } = useQuery(choicesQuery(kinds))
  const [uploaded, setUploaded] = useState<MediaFile[]>([])
  const [parts, setParts] = useState(begin)
  const choices = [...uploaded.filter(({ id }) => !stored.some((one) => one.id === id)), ...stored]
  const add = (file: MediaFile | undefined) => {
    if (file === undefined || parts.some((part) => part.file === file.id)) return
    setParts([...parts, { file: file.id, title: hasTitles ? file.name.replace(/\.\w+$/, '') : '' }])
  }
  return {
    ...{ parts, setParts, add },
    isChanged: JSON.stringify(parts) !== JSON.stringify(begin),
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
  const { parts, setParts, add, addUploaded, isChanged, fileOf, left } = useParts(props)
  const action = useAdminAction({
    schema: AdminVideo,
    send: () => send(parts),
    failure: 'The files could not be saved',
    done: { title: 'Files saved', description: video.title },
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
        <option value="">{left.length === 0 ? 'Nothing more in the library' : 'Choose a file'}</option>
        {left.map(({ id, name, bytes }) => (
          <option key={id} value={id}>{`${name} (${formatBytes(bytes)})`}</option>
        ))}
      </SelectField>
      <UploadHere
        label={`Upload to ${title.toLowerCase()}`}
        accept={accept}
        isPublic={false}
        problemOf={({ format }) => (kinds.includes(kindOfMedia(format)) ? null : 'It cannot be used here.')}
        onStored={addUploaded}
      />
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      <div className="acts">
        <Button
          isSmall
          disabled={!isChanged}
          isBusy={action.isPending}
          busyLabel="Saving…"
          onClick={() => action.mutate()}
        >
          {`Save ${hasTitles ? 'hand-outs' : 'films'}`}
        </Button>
      </div>
    </section>
  )
}

type RowProps = {
  part: Part
  stored: MediaFile | undefined
  /** Null where nobody reads a title. */
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
    <IconButton icon="cross" label={`Take ${stored?.name ?? 'the file'} out`} onClick={onRemove} />
  </li>
)
