import { useMutation } from '@tanstack/react-query'
import { useRef } from 'react'
import * as v from 'valibot'
import type { FormValues } from '#pwa/features/admin/draft-storage.ts'
import { RequiredLabel } from '#pwa/features/forms/form-fields.tsx'
import { isControl } from '#pwa/features/forms/use-field-errors.ts'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Button } from '#pwa/ui/button.tsx'
import { TextField } from '#pwa/ui/field.tsx'
import { HostedVideo } from '#shared/contract/admin-video.ts'
import { VideoType } from '#shared/contract/video.ts'
import { formatDuration } from '#shared/rules/video.ts'
import { typeOfPasted } from '#shared/rules/video-source.ts'

type Props = {
  values: FormValues
  error: string | undefined
  formRef: React.RefObject<HTMLFormElement | null>
}

type Pasted = { videoType: 'wistia' | 'youtube'; videoId: string }

/**
 * Takes a pasted ID or URL and asks the host (oEmbed) about it. Fills an empty title and length; its thumbnail shows that it’s the
 * right video.
 */
export function HostedVideoSection({ values, error, formRef }: Props) {
  const asked = useRef(values.videoId ?? '')
  const lookUp = useMutation({
    mutationFn: (query: Pasted) => parseResponse(HostedVideo, api.api.admin.videos.hosted.get({ query })),
    onSuccess: ({ title, duration }) => {
      fillEmpty(formRef.current, 'title', title)
      fillEmpty(formRef.current, 'duration', duration)
    },
  })
  const ask = (isRepeat: boolean) => {
    const pasted = readPasted(formRef.current)
    if (pasted === null) return lookUp.reset()
    if (!isRepeat && asked.current === pasted.videoId) return
    asked.current = pasted.videoId
    lookUp.mutate(pasted)
  }
  return (
    <>
      <TextField
        className="f4"
        label={<RequiredLabel label="Video ID/URL" />}
        name="videoId"
        required
        autoComplete="off"
        spellCheck={false}
        hint="Paste the link to the video, or what its “Share” or “Embed” button gives you."
        defaultValue={values.videoId}
        error={error}
        onChange={() => chooseType(formRef.current)}
        onBlur={() => ask(false)}
      />
      <div className="videoform__host" aria-live="polite">
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
    </>
  )
}

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

function readPasted(form: HTMLFormElement | null): Pasted | null {
  const [type, id] = [form?.elements.namedItem('videoType'), form?.elements.namedItem('videoId')]
  if (!isControl(type) || !isControl(id) || id.value.trim() === '') return null
  return type.value === 'wistia' || type.value === 'youtube' ? { videoType: type.value, videoId: id.value } : null
}

/** A URL names its host, so choose the type for the owner. */
function chooseType(form: HTMLFormElement | null) {
  const [type, id] = [form?.elements.namedItem('videoType'), form?.elements.namedItem('videoId')]
  if (!isControl(type) || !isControl(id)) return
  const fitting = typeOfPasted(v.parse(VideoType, type.value), id.value)
  if (type.value === fitting) return
  type.value = fitting
  type.dispatchEvent(new Event('input', { bubbles: true }))
}

function fillEmpty(form: HTMLFormElement | null, name: string, value: string | number | null) {
  const field = form?.elements.namedItem(name)
  if (!isControl(field) || field.value !== '' || value === null) return
  field.value = String(value)
  // Stores the draft, and clears the field’s error.
  field.dispatchEvent(new Event('input', { bubbles: true }))
}
