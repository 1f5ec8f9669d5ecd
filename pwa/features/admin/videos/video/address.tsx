import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/kit/forms/draft-storage.ts'
import type { RowFormParts } from '#pwa/features/admin/kit/forms/row-form.tsx'
import { fieldBeside, writeField } from '#pwa/features/admin/kit/forms/use-written-field.ts'
import { videoTypeLabels } from '#pwa/features/admin/videos/video-texts.ts'
import { readFormValues } from '#pwa/features/forms/form-draft-store.ts'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { SelectField, TextField } from '#pwa/ui/field.tsx'
import { OutsideEmbed } from '#pwa/ui/outside-embed.tsx'
import { HostedVideo } from '#shared/contract/admin-video.ts'
import { VideoType } from '#shared/contract/video.ts'
import { formatDuration, playerAddress } from '#shared/rules/video.ts'
import { videoTypes } from '#shared/values/column-values.ts'
import { readVideoSource, typeOfPasted } from '#shared/values/video-source.ts'

type Props = Pick<RowFormParts, 'values' | 'errors'>

type Pasted = { videoType: 'wistia' | 'youtube'; videoId: string }

/**
 * Takes a pasted ID or URL and asks the host (oEmbed) about it. Fills an empty title and length; its thumbnail shows that it’s the
 * right video.
 */
export function AddressFields({ values, errors }: Props) {
  const field = useRef<HTMLInputElement>(null)
  const asked = useRef(values.videoId ?? '')
  const lookUp = useMutation({
    mutationFn: (query: Pasted) => parseResponse(HostedVideo, api.api.admin.videos.hosted.get({ query })),
    onSuccess: ({ title, duration }) => {
      fillEmpty(fieldBeside(field.current, 'title'), title)
      fillEmpty(fieldBeside(field.current, 'duration'), duration)
    },
  })
  const ask = (isRepeat: boolean) => {
    const pasted = readPasted(field.current)
    if (pasted === null) return lookUp.reset()
    if (!isRepeat && asked.current === pasted.videoId) return
    asked.current = pasted.videoId
    lookUp.mutate(pasted)
  }
  return (
    <>
      <TypeField values={values} errors={errors} />
      <TextField
        ref={field}
        className="f4"
        label="Video ID/URL"
        name="videoId"
        autoComplete="off"
        spellCheck={false}
        hint="Not needed if you’ve uploaded the video. Otherwise paste its link, or what “Share” or “Embed” gives you."
        defaultValue={values.videoId}
        error={errors.videoId}
        onChange={() => chooseType(field.current)}
        onBlur={() => ask(false)}
      />
      <div className="lessonpart__host" aria-live="polite">
        <Button
          look="line"
          isSmall
          icon="sync"
          isBusy={lookUp.isPending}
          busyLabel="Looking it up…"
          onClick={() => ask(true)}
        >
          Fetch title and length
        </Button>
        {lookUp.data && <HostWord hosted={lookUp.data} />}
        {lookUp.error && <p>{messageOf(lookUp.error, notAnswered)}</p>}
      </div>
      <TextField
        className="f4"
        label="Player address"
        name="embedUrl"
        autoComplete="off"
        hint="Leave it empty unless the video needs its own player address."
        defaultValue={values.embedUrl}
        error={errors.embedUrl}
      />
      <HostPreview field={field} />
    </>
  )
}

const TypeField = ({ values, errors }: Props) => (
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
)

const notAnswered = 'We couldn’t reach the video’s site. Type the title and length yourself.'

function HostWord({ hosted: { isAnswered, title, duration, picture } }: { hosted: HostedVideo }) {
  if (!isAnswered) return <p>{notAnswered}</p>
  return (
    <>
      {picture && <img src={picture} alt="" width={160} height={90} />}
      <p>Found: {[title ?? 'no title', duration === null ? 'no length' : formatDuration(duration)].join(', ')}.</p>
    </>
  )
}

function readPasted(id: HTMLInputElement | null): Pasted | null {
  const type = fieldBeside(id, 'videoType')
  if (!isControl(type) || !id || id.value.trim() === '') return null
  return type.value === 'wistia' || type.value === 'youtube' ? { videoType: type.value, videoId: id.value } : null
}

/** A URL names its host, so choose the type for the owner. */
function chooseType(id: HTMLInputElement | null) {
  const type = fieldBeside(id, 'videoType')
  if (!isControl(type) || !id) return
  const fitting = typeOfPasted(v.parse(VideoType, type.value), id.value)
  if (type.value !== fitting) writeField(type, fitting)
}

function fillEmpty(field: unknown, value: string | number | null) {
  if (isControl(field) && field.value === '' && value !== null) writeField(field, String(value))
}

/** Nothing of the host loads until it’s pressed. */
function HostPreview({ field }: { field: React.RefObject<HTMLInputElement | null> }) {
  const [shown, setShown] = useState<{ address: string | null } | null>(null)
  const show = () => {
    const form = field.current?.form
    setShown({ address: form ? hostAddress(readFormValues(form)) : null })
  }
  return (
    <div className="lessonpart">
      <div className="acts">
        <Button look="line" isSmall icon="play" aria-expanded={shown !== null} onClick={show}>
          {shown ? 'Try it again' : 'Try the link'}
        </Button>
        {shown && (
          <Button look="bare" isSmall onClick={() => setShown(null)}>
            Close the player
          </Button>
        )}
      </div>
      {shown?.address && (
        <OutsideEmbed address={shown.address} title="What plays" direct="Open the video in a new tab" />
      )}
      {shown && shown.address === null && <p role="status">There’s no link to try yet.</p>}
    </div>
  )
}

function hostAddress({ videoType, videoId = '', embedUrl }: FormValues): string | null {
  const type = v.safeParse(VideoType, videoType)
  if (!type.success) return null
  const source = readVideoSource({ videoType: type.output, videoId, embedUrl: embedUrl || null })
  return 'problems' in source ? null : playerAddress({ videoType: type.output, ...source })
}
