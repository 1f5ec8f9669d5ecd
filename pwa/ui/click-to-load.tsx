import { lazy, type ReactNode, Suspense, useState } from 'react'
import { loadFile } from '#pwa/lib/load-file.ts'
import { Button, ButtonAnchor } from './button.tsx'

type Props = {
  /** On another site; or one or more files of ours, best first, separated by spaces. */
  address: string
  title: string
  action: string
  picture?: ReactNode
  height?: 600 | 800
}

const OutsideEmbed = lazy(async () => ({ default: (await loadFile(() => import('./outside-embed.tsx'))).OutsideEmbed }))
const OwnPlayer = lazy(async () => ({ default: (await loadFile(() => import('./own-player.tsx'))).OwnPlayer }))

/** Another site's player or page: a picture and two ways in. Nothing of it loads before the click. */
export function ClickToLoad({ address, title, action, picture, height }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen)
    return (
      <Suspense fallback={<p role="status">Loading…</p>}>
        {address.startsWith('/media/') ? (
          <OwnPlayer files={address.split(' ')} title={title} />
        ) : (
          <OutsideEmbed address={address} title={title} height={height} direct="Open it in a new tab" />
        )}
      </Suspense>
    )
  return (
    <div className="toload">
      {picture}
      <div className="toload__acts">
        <Button icon="play" onClick={() => setOpen(true)}>
          {action}
        </Button>
        <ButtonAnchor look="line" icon="ext" href={address.split(' ')[0]} target="_blank" rel="noreferrer">
          Open it in a new tab
        </ButtonAnchor>
      </div>
      {!address.startsWith('/') && (
        <p className="second">
          This comes from {new URL(address).host}. They’ll know you opened it. Nothing loads until you do.
        </p>
      )}
    </div>
  )
}
