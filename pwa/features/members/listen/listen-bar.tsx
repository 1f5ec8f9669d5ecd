import { useSyncExternalStore } from 'react'
import { Button, IconButton } from '#pwa/ui/button.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import './listen.css'

type Props = { element: HTMLAudioElement; current: MemberVideo; onOpen: () => void; onClose: () => void }

/** What plays, above the dock of every other page. */
export const ListenBar = ({ element, current, onOpen, onClose }: Props) => (
  <section className="listenbar" aria-label="Listening">
    <button className="listenbar__title" type="button" onClick={onOpen}>
      <span>{current.title}</span>
    </button>
    <Transport element={element} />
    <IconButton icon="cross" label="Stop listening" onClick={onClose} />
  </section>
)

/** Large enough for gloves. */
export function Transport({ element }: Pick<Props, 'element'>) {
  const isPaused = useSyncExternalStore(
    (changed) => {
      for (const name of playing) element.addEventListener(name, changed)
      return () => {
        for (const name of playing) element.removeEventListener(name, changed)
      }
    },
    () => element.paused,
  )
  return (
    <>
      <Button look="line" onClick={() => back(element)}>
        15 s back
      </Button>
      <Button look="line" onClick={() => (isPaused ? void element.play().catch(() => {}) : element.pause())}>
        {isPaused ? 'Play' : 'Pause'}
      </Button>
    </>
  )
}

const playing = ['play', 'pause', 'ended', 'emptied'] as const

function back(element: HTMLAudioElement) {
  element.currentTime = Math.max(0, element.currentTime - 15)
}
