import { useMutation } from '@tanstack/react-query'
import { ExportButton } from '#pwa/features/admin/kit/export-button.tsx'
import { useProof } from '#pwa/features/auth/proof/use-proof.tsx'
import { api, parseResponse } from '#pwa/lib/api.ts'
import { messageOf } from '#pwa/lib/request-error.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { Export } from '#shared/contract/move-out.ts'
import { missingFromExport } from '#shared/rules/move-out.ts'
import { plural } from '#shared/rules/plural.ts'
import { formatBytes } from '#shared/values/media.ts'

/** Everything in one ZIP. Asks for the password first, because it takes everyone's details away. */
export function ExportSection() {
  const prove = useProof()
  const { mutate, isPending, error, data } = useMutation({
    mutationFn: () => prove(() => parseResponse(Export, api.api.admin.exports.all.post())),
    onSuccess: ({ ticket }) => {
      const href = `/api/admin/exports/all.zip?${new URLSearchParams({ ticket })}`
      Object.assign(document.createElement('a'), { href, download: '' }).click()
    },
  })
  return (
    <section className="movein__out" aria-labelledby="export-title">
      <h3 id="export-title">Move out</h3>
      <p>Everything in one ZIP: people, progress, videos, posts, media and money, as CSV and JSON. No passwords.</p>
      {error && <Banner tone="bad" role="alert" title={messageOf(error, 'That didn’t work. Try again in a minute.')} />}
      <Button look="line" icon="down" isBusy={isPending} busyLabel="Getting it ready…" onClick={() => mutate()}>
        Download everything
      </Button>
      {data && data.missing.length > 0 && <Banner tone="bad" role="alert" title={missingFromExport(data.missing)} />}
      <p role="status">{data && sizeOf(data)}</p>
      <h3>Copy to another site</h3>
      <ExportButton label="Save the content" />
    </section>
  )
}

const sizeOf = ({ people, lessons: videos, posts, media, bytes }: Export): string =>
  `Look in your downloads: ${plural(people, 'person', 'people')}, ${plural(videos, 'video')}, ${plural(posts, 'post')} and ${plural(media, 'file')}${bytes > 0 ? ` (${formatBytes(bytes)})` : ''}.`
