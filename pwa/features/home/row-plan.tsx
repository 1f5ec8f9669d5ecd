/** The hero's drawing on a phone: the three gauges in a row on one pipe. */
const gauges = [
  { name: 'TIME', angle: 327.6 },
  { name: 'FREEDOM', angle: 342 },
  { name: 'PROFIT', angle: 361.2 },
]

/** From one gauge to the next. */
const pitch = 131

/** As it stands under the words on a narrow screen. */
export const RowPlan = () => (
  <svg className="plan-s" viewBox="0 0 390 158" fill="none" stroke="currentColor" aria-hidden="true" focusable="false">
    <path d="M-10 138H400" strokeWidth="20" />
    <path className="d-bore" d="M-10 138H400" strokeWidth="12" />
    <path d="M-10 134.5H400" strokeWidth="2" opacity=".55" />
    <Face />
    <use href="#face" x={pitch} />
    <use href="#face" x={2 * pitch} />
    <Valve />
    <use href="#valve" x={pitch} />
    {gauges.map(({ name, angle }, place) => (
      <g key={name} transform={`translate(${64 + place * pitch} 60)`}>
        <g className="needle">
          <path className="d-solid" transform={`rotate(${angle})`} d="M-11.7-3.4 38.2-.8V.8L-11.7 3.4Z" />
        </g>
        <circle className="d-solid" r="4.8" />
        <text className="d-solid dtext" y="32.9" fontSize="15.9" textAnchor="middle">
          {name}
        </text>
      </g>
    ))}
  </svg>
)

const Face = () => (
  <g id="face">
    <path className="d-fill" strokeWidth="3.5" d="M57 112h14v22h-14z" />
    <rect className="d-fill" x="50" y="123" width="28" height="10" rx="3" strokeWidth="4" />
    <circle className="d-fill" cx="64" cy="60" r="53" strokeWidth="5" />
    <circle cx="64" cy="60" r="44" strokeWidth="1.5" />
    <path d={fineMarks} strokeWidth="1.6" />
    <path d="M29.4 80L38.5 74.7M29.4 40L38.5 45.3M64 20L64 30.6M98.6 40L89.5 45.3M98.6 80L89.5 74.7" strokeWidth="4" />
    <path className="d-band" d="M82.9 39.9A27.6 27.6 0 0 1 90.5 67.4" strokeWidth="5.8" />
  </g>
)

const Valve = () => (
  <g id="valve">
    <rect className="d-fill" x="111.5" y="123" width="8" height="30" rx="3" strokeWidth="4" />
    <rect className="d-fill" x="139.5" y="123" width="8" height="30" rx="3" strokeWidth="4" />
    <path className="d-fill" strokeWidth="3.5" d="M119.5 127h20v22h-20z" />
    <path className="d-hot" strokeWidth="3.5" d="M121.5 111h36v9h-36z" />
    <path className="d-solid" d="M126.5 120h6v8h-6z" />
  </g>
)

const fineMarks =
  'M27.5 76.3L31.3 74.5M26 72.4L30 71.1M24.9 68.3L29 67.4M24.2 64.2L28.4 63.7M24 60L31.4 60M24.2 55.8L28.4 56.3M24.9 51.7L29 52.6M26 47.6L30 48.9M27.5 43.7L31.3 45.5M31.6 36.5L35.1 39M34.3 33.2L37.4 36.1M37.2 30.3L40.1 33.4M40.5 27.6L43 31.1M44 25.4L47.7 31.8M47.7 23.5L49.5 27.3M51.6 22L52.9 26M55.7 20.9L56.6 25M59.8 20.2L60.3 24.4M68.2 20.2L67.7 24.4M72.3 20.9L71.4 25M76.4 22L75.1 26M80.3 23.5L78.5 27.3M84 25.4L80.3 31.8M87.5 27.6L85 31.1M90.8 30.3L87.9 33.4M93.7 33.2L90.6 36.1M96.4 36.5L92.9 39M100.5 43.7L96.7 45.5M102 47.6L98 48.9M103.1 51.7L99 52.6M103.8 55.8L99.6 56.3M104 60L96.6 60M103.8 64.2L99.6 63.7M103.1 68.3L99 67.4M102 72.4L98 71.1M100.5 76.3L96.7 74.5'
