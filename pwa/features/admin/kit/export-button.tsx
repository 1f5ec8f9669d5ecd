import { useState } from 'react'
import { api } from '#pwa/lib/api.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import { SiteCopy } from '#shared/contract/site-copy.ts'
import { plural } from '#shared/rules/plural.ts'
import { ForHost } from './for-host.tsx'
import { useAdminAction } from './use-admin-action.ts'
import './export-button.css'

/** One JSON file. Videos and other media are only exported from the server’s terminal. */
export function ExportButton({ label }: { label: string }) {
  const [left, setLeft] = useState<string[]>([])
  const action = useAdminAction({
    schema: SiteCopy,
    send: () => api.api.admin['site-copy'].get(),
    failure: 'We couldn’t save the file.',
    done: {
      title: 'File saved',
      description: 'Now give it to whoever hosts your site.',
    },
    onDone: (copy) => setLeft(saveCopy(copy)),
  })
  return (
    <div className="setup__export">
      <Button look="line" isSmall icon="down" isBusy={action.isPending} onClick={() => action.mutate()}>
        {label}
      </Button>
      <p className="second">
        It has your content, settings, tiers, videos and posts. Members, payments, keys and samples you haven’t changed
        stay here.
      </p>
      <ForHost>
        <p>
          On the other server, run <code>alliance content import site.json</code>
        </p>
        <p>
          For pictures, video files and podcast episodes too, make the file on this server with{' '}
          <code>alliance content export site.json</code>
        </p>
      </ForHost>
      {action.problem && <Banner tone="bad" role="alert" title={action.problem} />}
      {left.length > 0 && (
        <Banner role="status" title={`Left out: ${plural(left.length, 'file')}`}>
          {left.join(', ')}. Whoever hosts your site can copy them, and the podcast’s episodes.
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
