import { useEffect, useRef, useState } from 'react'
import { usePlayingSign } from '#pwa/features/members/shelf/use-playing-sign.ts'
import { useLookAddress } from '#pwa/lib/picture-source.ts'
import { signalPlaying } from '#pwa/sync/shelf/playing-sign.ts'
import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'
import { OutsideEmbed } from '#pwa/ui/outside-embed.tsx'
import { OwnPlayer } from '#pwa/ui/own-player.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { playerAddress } from '#shared/rules/video.ts'

/** Doesn't embed a player from our own origin, because it would be part of this page. */
function embeddedAddress(video: MemberVideo): string | null {
  const address = playerAddress(video)
  return address !== null && new URL(address).origin !== window.location.origin ? address : null
}

type Props = {
  video: MemberVideo
  hasSignal: boolean
  captions?: string | undefined
  /** The video on this phone, which plays without signal. */
  keptAddress?: string | undefined
  /** Given where the signal went and the video has come to this phone meanwhile. */
  onCarryOn?: (() => void) | undefined
  onElement?: ((element: HTMLVideoElement | null) => void) | undefined
  /** More about a host's player, such as where it starts. */
  host?: { address: (address: string) => string; onIframe: (host: HTMLIFrameElement | null) => void } | undefined
}

/** A video's own files first, else its host's player, or why neither plays. Show it only after a click. */
export function VideoPlayer({ video, hasSignal, captions, keptAddress, onCarryOn, onElement, host }: Props) {
  // What's loaded plays on from its buffer, so a lost signal doesn't remove the player.
  const hasStarted = useRef(hasSignal)
  const [usesHost, setUsesHost] = useState(false)
  const poster = useLookAddress('/pictures/lesson.svg')
  if (hasSignal) hasStarted.current = true
  const address = embeddedAddress(video)
  // Phones may have rows stored before videos had files.
  const own = keptAddress ? [keptAddress, ...(video.files ?? [])] : (video.files ?? [])
  const files = usesHost ? [] : own
  const attach = usePlayingSign(onElement)
  if (address === null && files.length === 0) return <p>We can’t play this video here. Tell us which one it is.</p>
  if (!hasSignal && !hasStarted.current && !keptAddress)
    return (
      <div className="player-blank" role="status">
        <Icon name="nosignal" />
        <p>You need signal to watch this. You can still tick it off.</p>
      </div>
    )
  return (
    <>
      {!hasSignal && !keptAddress && (
        <div className="acts" role="status">
          <p>
            No signal. {onCarryOn ? 'This video is on your phone.' : 'The video carries on when you’re back in range.'}
          </p>
          {onCarryOn && (
            <Button look="line" icon="play" onClick={onCarryOn}>
              Play it from your phone
            </Button>
          )}
        </div>
      )}
      {files.length > 0 ? (
        <OwnPlayer
          files={files}
          title={video.title}
          poster={poster}
          captions={captions}
          onElement={attach}
          onUseHost={address === null ? undefined : () => setUsesHost(true)}
        />
      ) : (
        <HostPlayer
          address={host ? host.address(address ?? '') : (address ?? '')}
          title={video.title}
          onIframe={host?.onIframe}
        />
      )}
    </>
  )
}

type HostProps = { address: string; title: string; onIframe: NonNullable<Props['host']>['onIframe'] | undefined }

function HostPlayer({ address, title, onIframe }: HostProps) {
  // Not every host's player says when it plays, so it counts as playing while it's open.
  useEffect(() => signalPlaying('network'), [])
  return (
    <>
      <OutsideEmbed
        address={address}
        title={title}
        onIframe={onIframe}
        overlay={{ words: 'Loading the player…', ms: 10_000, endsOnLoad: true }}
        direct="Open the video in a new tab"
      />
      <p className="second">Nothing playing? Use the link above.</p>
    </>
  )
}
