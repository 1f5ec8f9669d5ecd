/** The label of a field that must be filled in; the field itself is `required`, which is what is read out. */
export const Needed = ({ label }: { label: string }) => (
  <>
    {label}{' '}
    <span className="lasting__needed" aria-hidden="true">
      *
    </span>
  </>
)
