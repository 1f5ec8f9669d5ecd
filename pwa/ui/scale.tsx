const tens = Array.from({ length: 24 }, (_, place) => (place + 1) * 10)

/** The numbers along a blade's edge. */
export const Scale = () => (
  <div className="scale" aria-hidden="true">
    {tens.map((ten) => (
      <span key={ten}>{ten}</span>
    ))}
  </div>
)
