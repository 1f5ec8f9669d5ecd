import { useRouter } from '@tanstack/react-router'
import { type ComponentProps, useEffect, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { AuthSession } from '#pwa/features/auth/session-store.ts'
import { usePlayingSign } from '#pwa/features/members/shelf/use-playing-sign.ts'
import { useMediaSession, usePlayback, usePlaybackPosition } from '#pwa/features/members/video-page/use-playback.ts'
import { SiteContentProvider, useSiteContent } from '#pwa/lib/site-content.tsx'
import { SyncContext, useEngine } from '#pwa/sync/hooks.ts'
import type { Engine } from '#pwa/sync/progress/engine.ts'
import type { MemberVideo } from '#shared/contract/video.ts'
import { ListenBar } from './listen-bar.tsx'
import { type Listening, type ListenSource, useListening } from './use-listening.ts'

type Source = ListenSource & {
  /** Where the member stopped in each video. */
  positions: ReadonlyMap<string, { seconds: number }>
}

/** `isNearlyDone`: what plays has been heard nearly to its end. */
export type Heard = Listening & { isNearlyDone: boolean }

const radios = new WeakMap<Engine, ReturnType<typeof createRadio>>()

/** What plays for this member at the moment, on whichever page. */
export const heardNow = (engine: Engine): Heard | null => radios.get(engine)?.heard() ?? null

/** What this member hears. It goes on while they open other pages, until they log out. Null for a moment at the start. */
export function useRadio(session: AuthSession, { queue, addressesOf, lastId, positions }: Source): Heard | null {
  const engine = useEngine()
  const { history } = useRouter()
  const content = useSiteContent()
  const [radio] = useState(() => {
    const known = radios.get(engine) ?? createRadio({ session, engine, history, content })
    radios.set(engine, known)
    return known
  })
  useEffect(() => radio.tune({ queue, addressesOf, lastId, positions }), [radio, queue, addressesOf, lastId, positions])
  return useSyncExternalStore(radio.onChange, radio.heard)
}

type Parts = Pick<ComponentProps<typeof SiteContentProvider>, 'content'> & {
  session: AuthSession
  engine: Engine
  history: ReturnType<typeof useRouter>['history']
}

/** Its own root, since every page of ours replaces the one before it. */
function createRadio({ session: { sync }, engine, history, content }: Parts) {
  const host = document.createElement('div')
  const root = createRoot(host)
  const listeners = new Set<() => void>()
  let heard: Heard | null = null
  const hear = (now: Heard) => {
    heard = now
    for (const listener of listeners) listener()
  }
  document.body.append(host)
  const stopFollowing = sync.onChange(() => {
    if (sync.engine() === engine) return
    stopFollowing()
    root.unmount()
    host.remove()
  })
  return {
    heard: () => heard,
    onChange: (listener: () => void) => {
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
      }
    },
    tune: (source: Source) =>
      root.render(
        <SiteContentProvider content={content}>
          <SyncContext value={engine}>
            <Radio source={source} history={history} onHear={hear} />
          </SyncContext>
        </SiteContentProvider>,
      ),
  }
}

type RadioProps = Pick<Parts, 'history'> & { source: Source; onHear: (heard: Heard) => void }

function Radio({ source, history, onHear }: RadioProps) {
  const listening = useListening(source)
  const { element, setElement, current } = listening
  const attach = usePlayingSign(setElement)
  const [nearlyDone, setNearlyDone] = useState<string | null>(null)
  const isNearlyDone = current !== null && nearlyDone === current.id
  const path = useSyncExternalStore(history.subscribe, () => history.location.pathname)
  useEffect(() => onHear({ ...listening, isNearlyDone }))
  useEffect(() => pauseForOthers(element), [element])
  return (
    <>
      {/* biome-ignore lint/a11y/useMediaCaption: the transcript is on the video's page */}
      <audio ref={attach} preload="auto" />
      {current && element && (
        <Playing
          key={current.id}
          listening={listening}
          element={element}
          current={current}
          stoppedAt={source.positions.get(current.id)?.seconds ?? 0}
          onNearlyDone={() => setNearlyDone(current.id)}
        />
      )}
      {current && element && path !== listenPath && (
        <ListenBar
          element={element}
          current={current}
          onOpen={() => history.push(listenPath)}
          onClose={() => close(listening)}
        />
      )}
    </>
  )
}

const listenPath = '/members/listen'

function close({ element, forget }: Listening) {
  element?.pause()
  element?.removeAttribute('src')
  forget()
}

/** A video someone plays meanwhile is what they want to hear. */
function pauseForOthers(element: HTMLMediaElement | null) {
  const began = ({ target }: Event) => target !== element && element?.pause()
  document.addEventListener('play', began, true)
  return () => document.removeEventListener('play', began, true)
}

type PlayingProps = {
  listening: Listening
  element: HTMLAudioElement
  current: MemberVideo
  stoppedAt: number
  onNearlyDone: () => void
}

/** The position and the lock screen of the video that plays. */
function Playing({ listening: { previous, next, play }, element, current, stoppedAt, onNearlyDone }: PlayingProps) {
  const [startAt] = useState(stoppedAt)
  const { isNearlyDone, writer } = usePlayback(current.id)
  usePlaybackPosition(element, startAt, writer)
  const { brand } = useSiteContent()
  const [skips, setSkips] = useState<{ onPrevious: (() => void) | null; onNext: (() => void) | null }>(none)
  useEffect(() => {
    setSkips({ onPrevious: previous && (() => play(previous)), onNext: next && (() => play(next)) })
  }, [previous, next, play])
  useMediaSession(element, { ...skips, title: current.title, artist: brand.name, album: current.category })
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once for each video
  useEffect(() => {
    if (isNearlyDone) onNearlyDone()
  }, [isNearlyDone])
  return null
}

const none = { onPrevious: null, onNext: null }
