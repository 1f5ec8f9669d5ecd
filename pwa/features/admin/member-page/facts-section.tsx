/** What is known, row by row; rows without a value are left out. */
export const Facts = ({
  facts,
}: {
  facts: readonly (readonly [label: string, value: string | null | undefined])[]
}) => (
  <dl className="entry">
    {facts.map(
      ([label, value]) =>
        value && (
          <div key={label}>
            <dt className="label">{label}</dt>
            <dd>{value}</dd>
          </div>
        ),
    )}
  </dl>
)
