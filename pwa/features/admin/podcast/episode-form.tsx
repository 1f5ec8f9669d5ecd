import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
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
import { Dialog } from '#pwa/ui/dialog.tsx'
import { CheckField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { AdminEpisode, EpisodeRequest } from '#shared/contract/podcast.ts'
import { lengthText, PictureFields, SoundFields } from './episode-files-section.tsx'

/** Undefined if it isn’t a length. */
function secondsIn(text = ''): number | undefined {
  const [, hours = '0', minutes = '', seconds = ''] = /^(?:(\d+):)?(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? []
  return minutes === '' ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const valuesOf = (episode: AdminEpisode): FormValues => ({
  ...{ title: episode.title, summary: episode.summary, notes: episode.notes ?? '', mediaId: episode.mediaId },
  pictureId: episode.pictureId ?? '',
  ...{ number: episode.number?.toString() ?? '', length: lengthText(episode) },
  ...publishedValues(episode),
  ...(episode.isExplicit ? { isExplicit: 'on' } : {}),
})

const readEpisodeForm = ({ length, number, pictureId, ...typed }: FormValues) => ({
  ...readPublished(typed),
  number: number ? Number(number) : null,
  pictureId: pictureId || null,
  seconds: secondsIn(length),
  isExplicit: typed.isExplicit === 'on',
})

const episodeFields: readonly (readonly [label: string, text: (episode: EpisodeRequest) => string])[] = [
  ['Title', ({ title }) => title],
  ['Summary', ({ summary }) => summary],
  ['Notes', ({ notes }) => notes ?? ''],
  ['Number', ({ number }) => number?.toString() ?? ''],
  ['Length', lengthText],
  ['Picture', ({ pictureId }) => (pictureId ? 'Its own' : 'The podcast’s')],
  ['Strong language', ({ isExplicit }) => (isExplicit ? 'Yes' : 'No')],
  ...publishedFields,
]

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
        failure="We couldn’t save the episode."
        done={({ title }) => ({ title: episode === null ? 'Episode added' : 'Episode saved', description: title })}
        compared={episodeFields}
        submit={episode === null ? 'Add episode' : 'Save episode'}
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
      hint="A sentence or two, for the page and podcast apps."
      defaultValue={values.summary}
      error={errors.summary}
    />
    <TextAreaField
      label="Notes"
      name="notes"
      rows={6}
      hint="What you talked about, and links. Leave an empty line between paragraphs."
      defaultValue={values.notes}
      error={errors.notes}
    />
    <PictureFields {...{ values, errors }} />
    <TextField
      className="f3"
      label="Number"
      name="number"
      inputMode="numeric"
      autoComplete="off"
      hint="Leave it empty for a bonus episode."
      defaultValue={values.number}
      error={errors.number}
    />
    <PublishedOnField {...{ values, errors }} />
    <CheckField label="Strong language" name="isExplicit" defaultChecked={values.isExplicit === 'on'} />
    <PublishedField values={values} label="Published: anyone can hear it" />
  </>
)
