import { useIsReadOnly } from '#pwa/sync/hooks.ts'
import { Button } from '#pwa/ui/button.tsx'
import { readOnlyReason } from './video-row.tsx'

export function TickButton({ isCompleted, onTick }: { isCompleted: boolean; onTick: () => void }) {
  const isReadOnly = useIsReadOnly()
  return (
    <Button
      icon={isCompleted ? 'cross' : 'tick'}
      disabled={isReadOnly}
      title={isReadOnly ? readOnlyReason : undefined}
      onClick={onTick}
    >
      {isCompleted ? 'Mark Incomplete' : 'Mark Complete'}
    </Button>
  )
}
