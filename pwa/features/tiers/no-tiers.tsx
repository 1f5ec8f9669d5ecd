import { Button } from '#pwa/ui/button.tsx'
import { EmptyState } from '#pwa/ui/empty-state.tsx'

/** Where the tiers did not load, or none is on sale. */
export const NoTiers = ({ onRetry }: { onRetry: () => void }) => (
  <EmptyState
    title="No membership tiers available at the moment."
    action={
      <Button look="line" icon="sync" isSmall onClick={onRetry}>
        Retry
      </Button>
    }
  >
    The prices did not load. Nothing is wrong with your account.
  </EmptyState>
)
