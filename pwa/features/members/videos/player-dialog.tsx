import { Dialog } from '#pwa/ui/dialog.tsx'
import { TextAnchor } from '#pwa/ui/link.tsx'
import type { MemberVideo } from '#shared/contract/video.ts'
import { playerAddress } from '#shared/rules/video.ts'

/**
 * The host's page may play, and do nothing to this one. `allow-same-origin` means its own origin; a player from our origin is
 * not framed.
 */
const sandbox = 'allow-scripts allow-same-origin allow-presentation allow-popups allow-popups-to-escape-sandbox'
const allow = 'autoplay; fullscreen; picture-in-picture; encrypted-media'

type Props = { video: MemberVideo | null; hasSignal: boolean; onClose: () => void }

/** The player of one video. Nothing of the host loads before this opens. */
export function PlayerDialog({ video, hasSignal, onClose }: Props) {
  const address = video && framedAddress(video)
  return (
    <Dialog isOpen={video !== null} onClose={onClose} title={video?.title}>
      {!hasSignal && <p role="status">Needs signal. The video goes on when you are back in range.</p>}
      {video && address ? <Player title={video.title} address={address} /> : <UnknownAddress />}
    </Dialog>
  )
}

function framedAddress(video: MemberVideo): string | null {
  const address = playerAddress(video)
  return address !== null && new URL(address).origin !== window.location.origin ? address : null
}

const Player = ({ title, address }: { title: string; address: string }) => (
  <>
    <iframe
      className="player"
      src={address}
      title={title}
      sandbox={sandbox}
      allow={allow}
      referrerPolicy="strict-origin-when-cross-origin"
    />
    <p>
      <TextAnchor isTap href={address} target="_blank" rel="noreferrer">
        Open the video in a new tab
      </TextAnchor>
    </p>
  </>
)

const UnknownAddress = () => (
  <p>This video has no address that can be played here. Please tell the coaches which one it is.</p>
)
