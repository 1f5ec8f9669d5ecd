import {
  checkField,
  type FormPart,
  formOf,
  lineField,
  numberField,
  textField,
} from '#pwa/features/admin/kit/forms/form-parts.tsx'
import {
  newRowValues,
  publishedButton,
  publishedPart,
  publishedSays,
} from '#pwa/features/admin/kit/forms/published-form.tsx'
import { RowForm } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { api } from '#pwa/lib/api.ts'
import { Dialog } from '#pwa/ui/dialog.tsx'
import { AdminEpisode, EpisodeRequest } from '#shared/contract/podcast.ts'
import { lengthText, PictureFields, SoundFields } from './episode-files.tsx'

/** Undefined if it isn’t a length. */
function secondsIn(text = ''): number | undefined {
  const [, hours = '0', minutes = '', seconds = ''] = /^(?:(\d+):)?(\d{1,2}):(\d\d)$/.exec(text.trim()) ?? []
  return minutes === '' ? undefined : Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
}

const soundPart: FormPart<{ mediaId: string; seconds: number }> = {
  name: 'mediaId',
  label: 'Length',
  draw: (parts) => <SoundFields {...parts} />,
  fill: (episode) => ({ mediaId: episode.mediaId, length: lengthText(episode) }),
  read: ({ mediaId, length }) => ({ mediaId, seconds: secondsIn(length) }),
  text: lengthText,
}

const picturePart: FormPart<{ pictureId: string | null }> = {
  name: 'pictureId',
  label: 'Picture',
  draw: (parts) => <PictureFields {...parts} />,
  fill: ({ pictureId }) => ({ pictureId: pictureId ?? '' }),
  read: ({ pictureId }) => ({ pictureId: pictureId || null }),
  text: ({ pictureId }) => (pictureId ? 'Its own' : 'The podcast’s'),
}

const { draw, ...form } = formOf<
  Pick<AdminEpisode, 'mediaId' | 'seconds' | 'pictureId' | 'isPublished' | 'publishedAt'>
>([
  lineField('title', 'Title', { required: true }),
  soundPart,
  textField('summary', 'Summary', {
    required: true,
    rows: 2,
    hint: 'A sentence or two, for the page and podcast apps.',
  }),
  textField('notes', 'Notes', {
    rows: 6,
    hint: 'What you talked about, and links. Leave an empty line between paragraphs.',
  }),
  picturePart,
  numberField('number', 'Number', { className: 'f3', hint: 'Leave it empty for a bonus episode.' }),
  checkField('isExplicit', 'Strong language', { label: 'Strong language', yes: 'Yes', no: 'No' }),
  publishedPart,
])

export function EpisodeDialog({ episode, onClose }: { episode: AdminEpisode | null; onClose: () => void }) {
  const { podcast } = api.api.admin
  return (
    <Dialog isOpen isWide onClose={onClose} title={episode === null ? 'New episode' : `Edit: ${episode.title}`}>
      <RowForm
        label="Episode"
        className="fields"
        draft={`episode-${episode?.id ?? 'new'}`}
        schema={EpisodeRequest}
        row={AdminEpisode}
        {...form}
        begin={() => (episode === null ? newRowValues() : form.valuesOf(episode))}
        send={(request, { version, key }) =>
          episode === null
            ? podcast.post(request, { headers: { 'idempotency-key': key } })
            : podcast({ id: episode.id }).patch({ ...request, version })
        }
        failure="We couldn’t save the episode."
        done={({ title }) => ({ title: episode === null ? 'Episode added' : 'Episode saved', description: title })}
        submit={publishedButton('Save episode')}
        cancel="Discard"
        says={publishedSays('Anyone can hear it')}
        onClose={onClose}
      >
        {draw}
      </RowForm>
    </Dialog>
  )
}
