import './styles/sync-line.css'

/** A level's vial: the bubble centred is in step, off centre is waiting. */
export const Vial = ({ isLevel }: { isLevel: boolean }) => (
  <span className={isLevel ? 'vial' : 'vial vial--off'} aria-hidden="true" />
)
