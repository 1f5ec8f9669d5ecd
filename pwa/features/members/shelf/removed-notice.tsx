import { useShelf, useShelfView } from '#pwa/features/members/stored/use-shelf.ts'
import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { removedText } from './shelf-texts.ts'

/** What the browser removed to make room, until the member has read it. */
export default function RemovedNotice({ videos }: { videos: readonly MemberVideo[] }) {
  const view = useShelfView()
  const run = useShelf()
  if (!view || view.shelf.removed.length === 0) return null
  const { removed, form } = view.shelf
  const titles = videos.filter(({ id }) => removed.includes(id)).map(({ title }) => title)
  return (
    <Banner
      role="status"
      icon="warn"
      title={removedText(removed.length)}
      action={
        <>
          <Button isSmall icon="down" onClick={() => void run((shelf) => shelf.keep(removed, form)).catch(reportError)}>
            Keep them again
          </Button>
          <Button look="line" isSmall onClick={() => void run((shelf) => shelf.forgetRemoved()).catch(reportError)}>
            OK
          </Button>
        </>
      }
    >
      {titles.length > 0 ? `${titles.join(', ')}.` : undefined}
    </Banner>
  )
}
