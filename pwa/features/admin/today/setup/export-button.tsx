import { useState } from 'react'
import { useAdminAction } from '#pwa/features/admin/use-admin-action.ts'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SiteCopy } from '#shared/contract/site-copy.ts'
import { plural } from '#shared/rules/plural.ts'

/** One JSON file. Videos and other media are only exported from the server’s terminal. */
export function ExportButton() {
  const [left, setLeft] = useState<string[]>([])
  const action = useAdminAction({
    schema: SiteCopy,
    send: () => api.api.admin['site-copy'].get(),
    failure: 'We couldn’t save the file.',
    done: {
      title: 'File saved',
      description: 'Now run this on the live server: alliance content import site.json',
    },
    onDone: (copy) => setLeft(saveCopy(copy)),
  })
  return (
    <div className="setup__export">
      <Button look="line" isSmall icon="down" isBusy={action.isPending} onClick={() => action.mutate()}>
        Save the file for the live site
      </Button>
      <p className="second">
        It has your content, settings, tiers, videos and posts. Members, payments, keys and samples you haven’t changed
        stay here. On the live server, run <code>alliance content import site.json</code>
      </p>
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      {left.length > 0 && (
        <Banner role="status" title={`Left out: ${plural(left.length, 'file')}`}>
          {left.join(', ')}. To take them too, and the podcast’s episodes with their audio, run{' '}
          <code>alliance content export site.json</code> on this server.
        </Banner>
      )}
    </div>
  )
}

function saveCopy({ media, videos, ...copy }: SiteCopy): string[] {
  const carried = {
    ...copy,
    media: [],
    episodes: [],
    videos: videos.map(({ files: _, versions: __, ...video }) => video),
  }
  const url = URL.createObjectURL(new Blob([JSON.stringify(carried, null, 2)], { type: 'application/json' }))
  const link = Object.assign(document.createElement('a'), { href: url, download: 'site.json' })
  link.click()
  URL.revokeObjectURL(url)
  return media.map(({ name }) => name)
}
