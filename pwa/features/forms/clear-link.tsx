type Props = { isCleared: boolean; isBusy?: boolean; onClear: () => void; onUndo: () => void }

/** At a form’s foot, out of the way of what sends it. A slip is undone by the next press. */
export const ClearLink = ({ isCleared, isBusy, onClear, onUndo }: Props) => (
  <button type="button" className="link link--tap" disabled={isBusy} onClick={isCleared ? onUndo : onClear}>
    {isCleared ? 'Undo' : 'Clear this form'}
  </button>
)
