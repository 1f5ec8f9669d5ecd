import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { UploadHere } from '#pwa/features/admin/media/upload-here-section.tsx'
import {
  newRowValues,
  PublishedField,
  PublishedOnField,
  publishedFields,
  publishedValues,
  readPublished,
  TitleField,
} from '#pwa/features/admin/published-form.tsx'
import { RowForm, type RowFormParts } from '#pwa/features/admin/row-form.tsx'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { api } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import type { MediaFile } from '#shared/contract/media.ts'
import { AdminEpisode, EpisodeRequest } from '#shared/contract/podcast.ts'
import { isPodcastSound, mediaAddress } from '#shared/rules/media.ts'
import { soundsQuery } from './queries.ts'

const two = (number: number) => String(number).padStart(2, '0')

/** `24:30`, `1:02:05` */
export function lengthText({ seconds }: Pick<AdminEpisode, 'seconds'>): string {
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`
}

/** Undefined where it is no length. */
function secondsIn(text = ''): number | undefined {
  const [, hours = '0', minutes = '', seconds = ''] = /^(?:(\d+):)?(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? []
  return minutes === '' ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const valuesOf = (episode: AdminEpisode): FormValues => ({
  ...{ title: episode.title, summary: episode.summary, notes: episode.notes ?? '', mediaId: episode.mediaId },
  ...{ number: episode.number?.toString() ?? '', length: lengthText(episode) },
  ...publishedValues(episode),
  ...(episode.isExplicit ? { isExplicit: 'on' } : {}),
})

const readEpisodeForm = ({ length, number, ...typed }: FormValues) => ({
  ...readPublished(typed),
  number: number ? Number(number) : null,
  seconds: secondsIn(length),
  isExplicit: typed.isExplicit === 'on',
})

const episodeFields: readonly (readonly [label: string, text: (episode: EpisodeRequest) => string])[] = [
  ['Title', ({ title }) => title],
  ['Summary', ({ summary }) => summary],
  ['Notes', ({ notes }) => notes ?? ''],
  ['Number', ({ number }) => number?.toString() ?? ''],
  ['Length', lengthText],
  ['Strong language', ({ isExplicit }) => (isExplicit ? 'Yes' : 'No')],
  ...publishedFields,
]

/** Adds an episode or changes one. Closed by its cross, what was typed comes back with the next opening. */
export function EpisodeDialog({ episode, onClose }: { episode: AdminEpisode | null; onClose: () => void }) {
  const { podcast } = api.api.admin
  return (
    <Dialog isOpen isWide onClose={onClose} title={episode === null ? 'New episode' : `Edit: ${episode.title}`}>
      <RowForm
        label="Episode"
        className="fields"
        draft={`episode-${episode?.id ?? 'new'}`}
        schema={EpisodeRequest}
        read={readEpisodeForm}
        row={AdminEpisode}
        begin={() => (episode === null ? newRowValues() : valuesOf(episode))}
        valuesOf={valuesOf}
        send={(request, { version, key }) =>
          episode === null
            ? podcast.post(request, { headers: { 'idempotency-key': key } })
            : podcast({ id: episode.id }).patch({ ...request, version })
        }
        failure="The episode could not be saved."
        done={({ title }) => ({ title: episode === null ? 'Episode added' : 'Episode saved', description: title })}
        compared={episodeFields}
        submit={episode === null ? 'Add the episode' : 'Save the episode'}
        cancel="Discard"
        onClose={onClose}
      >
        {(parts) => <EpisodeFields {...parts} />}
      </RowForm>
    </Dialog>
  )
}

const EpisodeFields = ({ values, errors }: RowFormParts) => (
  <>
    <TitleField {...{ values, errors }} />
    <SoundFields {...{ values, errors }} />
    <TextAreaField
      label={<RequiredLabel label="Summary" />}
      name="summary"
      rows={2}
      required
      hint="A sentence or two: on the page, and in apps under the title."
      defaultValue={values.summary}
      error={errors.summary}
    />
    <TextAreaField
      label="Notes"
      name="notes"
      rows={6}
      hint="What you talked about, and links. An empty line begins a new paragraph."
      defaultValue={values.notes}
      error={errors.notes}
    />
    <TextField
      className="f3"
      label="Number"
      name="number"
      inputMode="numeric"
      autoComplete="off"
      hint="Leave it empty for an extra."
      defaultValue={values.number}
      error={errors.number}
    />
    <PublishedOnField {...{ values, errors }} />
    <CheckField label="It has strong language" name="isExplicit" defaultChecked={values.isExplicit === 'on'} />
    <PublishedField values={values} label="Published: everybody can hear it" />
  </>
)

const soundFormats = 'An episode’s sound is an MP3 or M4A, so podcast apps cannot play this one.'

/** The sound, uploaded here or out of the library, heard once to be sure; its length is read from it. */
function SoundFields({ values, errors }: Pick<RowFormParts, 'values' | 'errors'>) {
  const { data: stored, error } = useQuery(soundsQuery)
  const [chosen, setChosen] = useState(values.mediaId ?? '')
  const [uploaded, setUploaded] = useState<MediaFile[]>([])
  const [field, length] = [useRef<HTMLSelectElement>(null), useRef<HTMLInputElement>(null)]
  const sounds = stored && [...uploaded.filter(({ id }) => !stored.some((one) => one.id === id)), ...stored]
  const sound = sounds?.find(({ id }) => id === chosen)
  const choose = (file: MediaFile) => {
    setUploaded([...uploaded, file])
    setChosen(file.id)
  }
  // What is chosen by an upload is kept on this device as what is typed is.
  useEffect(() => {
    if (uploaded.length > 0) tellForm(field.current)
  }, [uploaded, field])
  return (
    <>
      {error && <Banner tone="bad" role="status" title={messageOf(error, 'The library could not be read.')} />}
      <SelectField
        ref={field}
        className="f4"
        label={<RequiredLabel label="Sound" />}
        name="mediaId"
        required
        hint="Upload it here, or choose an MP3 or M4A that is in the library for everybody."
        value={chosen}
        error={errors.mediaId}
        onChange={({ target }) => setChosen(target.value)}
      >
        <option value="">{sounds?.length === 0 ? 'There is no sound in the library yet' : 'Choose the sound'}</option>
        {chosen !== '' && sound === undefined && <option value={chosen}>The sound that it has now</option>}
        {sounds?.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <TextField
        ref={length}
        className="f2"
        label={<RequiredLabel label="Length" />}
        name="length"
        autoComplete="off"
        placeholder="24:30"
        hint="Read from the sound."
        defaultValue={values.length}
        error={errors.seconds}
      />
      <UploadHere
        label="Upload the sound"
        accept=".mp3,.m4a"
        isPublic
        problemOf={({ format }) => (isPodcastSound(format) ? null : soundFormats)}
        onStored={choose}
      />
      {sound && <ChosenSound sound={sound} onLength={(seconds) => writeLength(length.current, seconds)} />}
    </>
  )
}

/** The form keeps what is in its fields with each input. */
const tellForm = (field: HTMLElement | null) => field?.dispatchEvent(new Event('input', { bubbles: true }))

function writeLength(field: HTMLInputElement | null, seconds: number) {
  if (!field || !Number.isFinite(seconds) || seconds < 1) return
  field.value = lengthText({ seconds: Math.round(seconds) })
  tellForm(field)
}

const ChosenSound = ({ sound, onLength }: { sound: MediaFile; onLength: (seconds: number) => void }) => (
  // biome-ignore lint/a11y/useMediaCaption: an owner listens whether it is the right file
  <audio
    controls
    preload="metadata"
    className="podcast__sound"
    aria-label="The chosen sound"
    src={mediaAddress(sound)}
    onLoadedMetadata={({ currentTarget }) => onLength(currentTarget.duration)}
  />
)
