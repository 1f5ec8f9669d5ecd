import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { UploadHere } from '#pwa/features/admin/kit/media/upload-here.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import type { MediaFile } from '#shared/contract/media.ts'
import type { AdminEpisode } from '#shared/contract/podcast.ts'
import { isPodcastPicture, isPodcastSound, mediaAddress, problemOfPodcastPicture } from '#shared/values/media.ts'
import { picturesQuery, soundsQuery } from './queries.ts'

const two = (number: number) => String(number).padStart(2, '0')

/** `24:30`, `1:02:05` */
export function lengthText({ seconds }: Pick<AdminEpisode, 'seconds'>): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

type Props = Pick<RowFormParts, 'values' | 'errors'>

function useChosenFile(initial: string | undefined, stored: readonly MediaFile[] | undefined) {
  const [chosen, setChosen] = useState(initial ?? '')
  const [uploaded, setUploaded] = useState<readonly MediaFile[]>([])
  const field = useRef<HTMLSelectElement>(null)
  const files = stored && [...uploaded.filter(({ id }) => !stored.some((one) => one.id === id)), ...stored]
  // An upload’s choice goes into the draft, as typing does.
  useEffect(() => {
    if (uploaded.length > 0 && field.current) writeField(field.current, field.current.value)
  }, [uploaded])
  const store = (file: MediaFile) => {
    setUploaded([...uploaded, file])
    setChosen(file.id)
  }
  return { chosen, setChosen, field, files, file: files?.find(({ id }) => id === chosen), store }
}

type OptionsProps = { files: readonly MediaFile[] | undefined; chosen: string; none: string; now: string }

/** `now`: the chosen file’s label until the library has loaded. */
const FileOptions = ({ files, chosen, none, now }: OptionsProps) => (
  <>
    <option value="">{none}</option>
    {chosen !== '' && !files?.some(({ id }) => id === chosen) && <option value={chosen}>{now}</option>}
    {files?.map(({ id, name }) => (
      <option key={id} value={id}>
        {name}
      </option>
    ))}
  </>
)

const soundFormats = 'Podcast apps can’t play this file. Use an MP3 or M4A.'

/** Reads the length from the file, and plays it so the owner can check. */
export function SoundFields({ values, errors }: Props) {
  const { data, error } = useQuery(soundsQuery)
  const { chosen, setChosen, field, files, file, store } = useChosenFile(values.mediaId, data)
  const length = useRef<HTMLInputElement>(null)
  return (
    <>
      {error && <Banner tone="bad" role="status" title={messageOf(error, 'We couldn’t load the library.')} />}
      <SelectField
        ref={field}
        className="f4"
        label={<RequiredLabel label="Audio" />}
        name="mediaId"
        required
        hint="Upload it here, or choose a public MP3 or M4A from the library."
        value={chosen}
        error={errors.mediaId}
        onChange={({ target }) => setChosen(target.value)}
      >
        <FileOptions
          files={files}
          chosen={chosen}
          none={files?.length === 0 ? 'No audio in the library yet' : 'Choose the audio'}
          now="Current audio"
        />
      </SelectField>
      <TextField
        ref={length}
        className="f2"
        label={<RequiredLabel label="Length" />}
        name="length"
        autoComplete="off"
        placeholder="24:30"
        hint="Read from the audio."
        defaultValue={values.length}
        error={errors.seconds}
      />
      <UploadHere
        label="Upload audio"
        accept=".mp3,.m4a"
        isPublic
        problemOf={({ format }) => (isPodcastSound(format) ? null : soundFormats)}
        onStored={store}
      />
      {file && <ChosenSound sound={file} onLength={(seconds) => writeLength(length.current, seconds)} />}
    </>
  )
}

function writeLength(field: HTMLInputElement | null, seconds: number) {
  if (!field || !Number.isFinite(seconds) || seconds < 1) return
  writeField(field, lengthText({ seconds: Math.round(seconds) }))
}

const ChosenSound = ({ sound, onLength }: { sound: MediaFile; onLength: (seconds: number) => void }) => (
  // biome-ignore lint/a11y/useMediaCaption: an owner listens whether it is the right file
  <audio
    controls
    preload="metadata"
    className="podcast__sound"
    aria-label="Chosen audio"
    src={mediaAddress(sound)}
    onLoadedMetadata={({ currentTarget }) => onLength(currentTarget.duration)}
  />
)

const pictureHint = 'A square JPEG or PNG, 1,400 to 3,000 pixels a side.'

export function PictureFields({ values, errors }: Props) {
  const { data } = useQuery(picturesQuery)
  const { chosen, setChosen, field, files, file, store } = useChosenFile(values.pictureId, data)
  const [unfit, setUnfit] = useState<string | null>(null)
  return (
    <>
      <SelectField
        ref={field}
        className="f4"
        label="Its own picture"
        name="pictureId"
        hint={pictureHint}
        value={chosen}
        error={unfit ?? errors.pictureId}
        onChange={({ target }) => {
          setUnfit(null)
          setChosen(target.value)
        }}
      >
        <FileOptions files={files} chosen={chosen} none="None: apps show the podcast’s" now="Current picture" />
      </SelectField>
      {file && (
        <img
          className="podcast__picture"
          src={mediaAddress(file)}
          alt={`Chosen: ${file.name}`}
          onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
            setUnfit(problemOfPodcastPicture({ width, height }))
          }
        />
      )}
      <UploadHere
        label="Upload a picture"
        accept=".jpg,.jpeg,.png"
        isPublic
        problemOf={({ format }) => (isPodcastPicture(format) ? null : 'Use a JPEG or PNG.')}
        onStored={(stored) => {
          setUnfit(null)
          store(stored)
        }}
      />
    </>
  )
}
