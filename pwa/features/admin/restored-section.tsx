import { Banner } from '#pwa/ui/banner.tsx'
import { Button } from '#pwa/ui/button.tsx'

/** Over a form that was filled with what was typed before and never saved. */
export const RestoredNote = ({ onStartAgain }: { onStartAgain: () => void }) => (
  <Banner
    role="status"
    title="What you typed before is here again"
    action={
      <Button isSmall look="line" onClick={onStartAgain}>
        Start again
      </Button>
    }
  >
    It was never saved.
  </Banner>
)
