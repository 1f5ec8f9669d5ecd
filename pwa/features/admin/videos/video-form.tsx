import { useId, useState } from 'react'
import { ConflictSection } from '#pwa/features/admin/conflict-section.tsx'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { useAdminForm, versionField } from '#pwa/features/admin/use-admin-form.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import type { FieldErrors } from '#pwa/features/forms/use-field-errors.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { CheckField, SelectField, TextAreaField, TextField } from '#pwa/ui/field.tsx'
import { AdminVideo, VideoRequest } from '#shared/contract/admin-video.ts'
import { tierSlugs } from '#shared/contract/tier.ts'
import { videoTypes } from '#shared/contract/video.ts'
import { HostedVideoSection } from './hosted-video-section.tsx'
import { newVideoValues, readVideoForm, valuesOfVideo } from './video-form-values.ts'
import { tierLabels, videoFields, videoTypeLabels } from './video-texts.ts'

type Props = {
  /** Null: a new one. */
  video: AdminVideo | null
  draft: string
  /** What was typed before and never saved. */
  typed: FormValues | null
  categories: readonly string[]
  onDone: () => void
  onCancel: () => void
  /** The other owner's version, to fill the form with. */
  onTheirs: (video: AdminVideo) => void
}

/** Adds a video or changes one. What is pasted as its ID is reduced by the contract's rule before it is sent. */
export function VideoForm({ video, draft, typed, categories, onDone, onCancel, onTheirs }: Props) {
  const [values] = useState(() => typed ?? (video ? valuesOfVideo(video) : newVideoValues()))
  const admin = api.api.admin.videos
  const { props, errors, isBusy, problem, conflict, saveMine } = useAdminForm({
    ...{ draft, schema: VideoRequest, read: readVideoForm, row: AdminVideo },
    send: (request, version) =>
      video
        ? admin({ id: video.id }).patch({ ...request, version })
        : admin.post(request, { headers: { 'idempotency-key': values.key ?? '' } }),
    failure: video ? 'Failed to update video' : 'Failed to add video',
    done: ({ title }) => ({ title: video ? 'Video saved' : 'Video added', description: title }),
    onDone,
  })
  return (
    <form {...props} className="fields videoform" aria-label="Video">
      <input type="hidden" name={versionField} defaultValue={values.version} />
      <input type="hidden" name="key" defaultValue={values.key} />
      <VideoFields values={values} errors={errors} categories={categories} formRef={props.ref} />
      {problem && <Banner tone="bad" role="alert" title={problem} />}
      {conflict && (
        <ConflictSection
          differences={videoFields.map(([label, text]) => ({
            label,
            mine: text(conflict.mine),
            theirs: text(conflict.theirs),
          }))}
          isBusy={isBusy}
          onMine={() => saveMine(conflict.theirs.version)}
          onTheirs={() => onTheirs(conflict.theirs)}
        />
      )}
      <div className="acts">
        <Button type="submit" isBusy={isBusy} busyLabel="Saving…">
          {video ? 'Save video' : 'Add video'}
        </Button>
        <Button look="line" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </form>
  )
}

type FieldsProps = Pick<Props, 'categories'> & {
  values: FormValues
  errors: FieldErrors
  formRef: React.RefObject<HTMLFormElement | null>
}

const VideoFields = ({ values, errors, categories, formRef }: FieldsProps) => (
  <>
    <SelectField
      className="f2"
      label="Video type"
      name="videoType"
      defaultValue={values.videoType}
      error={errors.videoType}
    >
      {videoTypes.map((type) => (
        <option key={type} value={type}>
          {videoTypeLabels[type]}
        </option>
      ))}
    </SelectField>
    <HostedVideoSection values={values} error={errors.videoId} formRef={formRef} />
    <TextField
      label={<RequiredLabel label="Title" />}
      name="title"
      required
      autoComplete="off"
      defaultValue={values.title}
      error={errors.title}
    />
    <TextAreaField
      label="Description"
      name="description"
      rows={3}
      defaultValue={values.description}
      error={errors.description}
    />
    <PlaceFields {...{ values, errors, categories }} />
    <TextField
      className="f4"
      label="Player address"
      name="embedUrl"
      autoComplete="off"
      hint="Only where the player has an address of its own."
      defaultValue={values.embedUrl}
      error={errors.embedUrl}
    />
    <TierFields values={values} error={errors.tierAccess} />
    <CheckField label="Published: members see it" name="isPublished" defaultChecked={values.isPublished === 'on'} />
  </>
)

function PlaceFields({ values, errors, categories }: Omit<FieldsProps, 'formRef'>) {
  const list = useId()
  return (
    <>
      <TextField
        className="f4"
        label={<RequiredLabel label="Category" />}
        name="category"
        required
        list={list}
        autoComplete="off"
        defaultValue={values.category}
        error={errors.category}
      />
      <datalist id={list}>
        {categories.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      <TextField
        className="f2"
        label="Order"
        name="orderIndex"
        type="number"
        inputMode="numeric"
        step={1}
        defaultValue={values.orderIndex}
        error={errors.orderIndex}
      />
      <TextField
        className="f2"
        label="Length in minutes"
        name="duration"
        type="number"
        inputMode="decimal"
        step="any"
        hint="5 minutes where it is empty."
        defaultValue={values.duration}
        error={errors.duration}
      />
    </>
  )
}

const TierFields = ({ values, error }: { values: FormValues; error: string | undefined }) => (
  <fieldset>
    <legend>Tiers that see it</legend>
    <div className="videoform__tiers">
      {tierSlugs.map((slug) => (
        <CheckField
          key={slug}
          label={tierLabels[slug]}
          name={`tier:${slug}`}
          defaultChecked={values[`tier:${slug}`] === 'on'}
          aria-invalid={error ? true : undefined}
        />
      ))}
    </div>
    {error && (
      <p className="field__err" role="alert">
        {error}
      </p>
    )}
  </fieldset>
)
