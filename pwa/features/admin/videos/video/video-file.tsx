import { type ReactNode, useState } from 'react'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { fieldBeside, useWrittenField, writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { UploadHere } from '#pwa/features/admin/kit/media/upload-here.tsx'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'
import { Button } from '#pwa/ui/button.tsx'
import { DropHint } from '#pwa/ui/drop-hint.tsx'
import { SelectField } from '#pwa/ui/field.tsx'
import type { MediaFile } from '#shared/contract/media.ts'
import { formatBytes, kindOfMedia, mediaTypeAt } from '#shared/values/media.ts'
import { useLibrary, videoFileKinds } from './use-library.ts'

type Props = Pick<RowFormParts, 'values' | 'errors'>

const accept = '.mp4,.mov,.webm,.mp3,.m4a,.ogg'
const problemOf = ({ format }: MediaFile) =>
  ['film', 'sound'].includes(kindOfMedia(format)) ? null : 'A video plays MP4, MOV, WebM, MP3, M4A or OGG.'

export const idsIn = (typed: string | undefined): string[] => (typed ?? '').split(' ').filter(Boolean)

const sizeHint = (
  <>
    Up to 2 GB. <DropHint>Or drop it here.</DropHint>
  </>
)

/** A video’s own files, with what they play. `link`: the fields of one that’s elsewhere, folded once there’s a file. */
export function VideoFileFields({ values, errors, link }: Props & { link: ReactNode }) {
  const { field, value, write } = useWrittenField('filmFiles', values.filmFiles)
  const { files, fileOf, addUploaded } = useLibrary(videoFileKinds)
  const ids = idsIn(value)
  const set = (next: readonly string[]) => write([...new Set(next)].join(' '))
  const store = (file: MediaFile, next: readonly string[]) => {
    addUploaded(file)
    set(next)
  }
  const addresses = ids.flatMap((id) => fileOf(id)?.address ?? [])
  const writeLength = (seconds: number) => {
    const length = fieldBeside(field.ref.current, 'duration')
    if (isControl(length) && length.value === '' && seconds >= 1 && Number.isFinite(seconds))
      writeField(length, minutesText(seconds))
  }
  return (
    <div className="lessonpart">
      <input type="hidden" {...field} />
      {addresses.length > 0 && <VideoFilePreview key={value} addresses={addresses} onLength={writeLength} />}
      <ul className="plain">
        {ids.map((id, at) => (
          <VideoFileRow
            key={id}
            file={fileOf(id)}
            onReplace={(file) => store(file, ids.with(at, file.id))}
            onRemove={() => set(ids.toSpliced(at, 1))}
          />
        ))}
      </ul>
      <UploadHere
        label={ids.length === 0 ? 'Upload a video' : 'Upload another format'}
        hint={ids.length === 0 ? sizeHint : 'Phones play the first one they can.'}
        accept={accept}
        isPublic={false}
        problemOf={problemOf}
        onStored={(file) => store(file, [...ids, file.id])}
      />
      <SelectField
        label="A video from the library"
        value=""
        onChange={({ target }) => target.value !== '' && set([...ids, target.value])}
      >
        <option value="">Choose a file</option>
        {files
          .filter(({ id }) => !ids.includes(id))
          .map(({ id, name, bytes }) => (
            <option key={id} value={id}>{`${name} (${formatBytes(bytes)})`}</option>
          ))}
      </SelectField>
      {errors.filmFiles && (
        <p className="field__err" role="alert">
          {errors.filmFiles}
        </p>
      )}
      <LinkPart isOpen={hasLink(values) || hasLink(errors)}>{link}</LinkPart>
    </div>
  )
}

const hasLink = ({ videoId, embedUrl }: { [name: string]: string | undefined }) => Boolean(videoId || embedUrl)

const LinkPart = ({ isOpen, children }: { isOpen: boolean; children: ReactNode }) => (
  <details open={isOpen}>
    <summary>Or use a video from Wistia, YouTube or another site</summary>
    <div className="fields">{children}</div>
  </details>
)

/** Whole minutes, or a fraction of the first. */
const minutesText = (seconds: number): string =>
  String(seconds < 60 ? Math.round((seconds / 60) * 100) / 100 : Math.round(seconds / 60))

type PreviewProps = { addresses: readonly string[]; onLength: (seconds: number) => void }

function VideoFilePreview({ addresses, onLength }: PreviewProps) {
  const [hasFailed, setFailed] = useState(false)
  const [isBlack, setBlack] = useState(false)
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: an owner sees whether it is the right file; its captions are below */}
      <video
        className="lessonpart__film"
        controls
        playsInline
        preload="metadata"
        aria-label="What plays"
        onLoadedMetadata={({ currentTarget }) => {
          onLength(currentTarget.duration)
          setBlack(currentTarget.videoWidth === 0 && /\.(mp4|webm)$/.test(currentTarget.currentSrc))
        }}
      >
        {addresses.map((address, at) => (
          <source
            key={address}
            src={address}
            type={mediaTypeAt(address) ?? undefined}
            onError={at === addresses.length - 1 ? () => setFailed(true) : undefined}
          />
        ))}
      </video>
      {isBlack && (
        <p role="status">
          This browser can’t show the picture, and many members’ browsers won’t. Export the video as H.264.
        </p>
      )}
      {hasFailed && <p role="status">We couldn’t load the video. Check your signal.</p>}
    </>
  )
}

type RowProps = { file: MediaFile | undefined; onReplace: (file: MediaFile) => void; onRemove: () => void }

const VideoFileRow = ({ file, onReplace, onRemove }: RowProps) => (
  <li className="lessonpart__row">
    <div>
      <b>{file?.name ?? 'A file'}</b> <span className="second">{file && formatBytes(file.bytes)}</span>
      <UploadHere
        label={`Replace ${file?.name ?? 'the file'}`}
        shown="Replace"
        accept={accept}
        isPublic={false}
        problemOf={problemOf}
        onStored={onReplace}
      />
    </div>
    <Button isSmall look="line" aria-label={`Remove ${file?.name ?? 'the file'}`} onClick={onRemove}>
      Remove
    </Button>
  </li>
)
