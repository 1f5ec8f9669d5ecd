import { useStopViewing } from './use-stop-viewing.ts'
import './viewing-as.css'

/** In the header of the members' area, where the Admin link stands for the owner's own. */
export default function StopViewing() {
  const { mutate, isPending } = useStopViewing()
  return (
    <button
      type="button"
      className="viewing__stop"
      aria-busy={isPending || undefined}
      onClick={() => isPending || mutate('asked')}
    >
      Stop Viewing as Member
    </button>
  )
}
