import { Button } from '#pwa/ui/button.tsx'
import type { IconName } from '#pwa/ui/icon-paths.ts'
import { KeepButton } from '#pwa/ui/keep-button.tsx'

type Props = { submit: string; busy: string; isBusy: boolean; icon?: IconName; onClose: () => void }

/** What a dialog's form ends with. */
export const FormActs = ({ submit, busy, isBusy, icon, onClose }: Props) => (
  <div className="acts">
    <Button type="submit" {...(icon && { icon })} isBusy={isBusy} busyLabel={busy}>
      {submit}
    </Button>
    <KeepButton isBusy={isBusy} onClick={onClose}>
      Not now
    </KeepButton>
  </div>
)
