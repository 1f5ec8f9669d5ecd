import { Button } from '#pwa/ui/button.tsx'
import { Icon } from '#pwa/ui/icon.tsx'

/** From the payment back to the tiers. */
export const BackToPlans = ({ onBack }: { onBack: () => void }) => (
  <div>
    <Button look="bare" className="purchase__back" onClick={onBack}>
      <Icon name="back" />
      Back to Plan Selection
    </Button>
  </div>
)
