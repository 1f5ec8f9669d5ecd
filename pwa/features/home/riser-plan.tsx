/** The hero's drawing: three circuits on one riser, each with its gauge; ink lines, hi-vis on what is turned. */
const gauges = [
  { name: 'TIME', angle: 327.6 },
  { name: 'FREEDOM', angle: 342 },
  { name: 'PROFIT', angle: 361.2 },
]

/** As it stands beside the words on a wide screen. */
export const RiserPlan = () => (
  <svg className="plan" viewBox="0 -14 600 654" fill="none" stroke="currentColor" aria-hidden="true" focusable="false">
    <Pipes />
    <Circuit />
    <use href="#circuit" y="196" />
    <use href="#circuit" y="392" />
    <path d="M402 102v20M402 298v20M402 494v20M14 176v196M6 176h16M6 372h16M14 372v196M6 568h16" strokeWidth="1.6" />
    {gauges.map(({ name, angle }, place) => (
      <g key={name} transform={`translate(236 ${70 + place * 196})`}>
        <g className="needle">
          <path className="d-solid" transform={`rotate(${angle})`} d="M-16.3-3.4 53.3-.8V.8L-16.3 3.4Z" />
        </g>
        <circle className="d-solid" r="6.7" />
        <text className="d-solid dtext" y="45.9" fontSize="22.2" textAnchor="middle">
          {name}
        </text>
        <text className="d-solid dtext" x="108" y="24" fontSize="26">
          {`CIRCUIT ${place + 1}`}
        </text>
      </g>
    ))}
  </svg>
)

const Pipes = () => (
  <>
    {['M64 640V58', 'M64 176H2600', 'M64 372H2600', 'M64 568H2600'].map((run) => (
      <g key={run} strokeLinejoin="round">
        <path d={run} strokeWidth="26" />
        <path className="d-bore" d={run} strokeWidth="18" />
      </g>
    ))}
    <path className="d-bore" d="M64 640V58" strokeWidth="18" strokeLinejoin="round" />
    <path d="M60 640V70M94 172H2600M94 368H2600M94 564H2600" strokeWidth="2" opacity=".55" />
    <g className="d-fill" strokeWidth="4">
      <rect x="44" y="49" width="40" height="14" rx="3" />
      <path d="M49 49V22q0-8 8-8h14q8 0 8 8v27z" />
      <path className="d-hot" d="M59 14V4h10v10z" />
    </g>
    <path d="M49 38h30" strokeWidth="2" />
  </>
)

/** The first circuit; the others are the same, lower down. */
const Circuit = () => (
  <g id="circuit">
    <g className="d-fill" strokeWidth="4">
      <path d="M48 151h32v9h10v32h-10v9h-32z" />
      <rect x="45" y="145" width="38" height="12" rx="3" />
      <rect x="45" y="195" width="38" height="12" rx="3" />
      <rect x="83" y="157" width="12" height="38" rx="3" />
      <path d="M227 136h18v26h-18z" />
      <rect x="219" y="156" width="34" height="12" rx="3" />
      <rect x="223" y="133" width="26" height="10" rx="3" />
      <rect x="390" y="156" width="12" height="40" rx="3" />
      <rect x="458" y="156" width="12" height="40" rx="3" />
      <path d="M402 161h12q4-8 16-8t16 8h12v30h-12q-4 8-16 8t-16-8h-12z" />
    </g>
    <circle className="d-fill" cx="236" cy="70" r="74" strokeWidth="5" />
    <circle cx="236" cy="70" r="65" strokeWidth="1.5" />
    <path d={fineMarks} strokeWidth="1.6" />
    <path
      d="M183.2 100.5L196 93.1M183.2 39.5L196 46.9M236 9L236 23.8M288.8 39.5L276 46.9M288.8 100.5L276 93.1"
      strokeWidth="4"
    />
    <path className="d-band" d="M262.3 41.9A38.5 38.5 0 0 1 273.1 80.3" strokeWidth="8.1" />
    <path className="d-solid" d="M425 138h10v16h-10z" />
    <path className="d-hot" strokeWidth="4" d="M418 126h98q9 0 9 7.5t-9 7.5h-98q-6 0-6-7.5t6-7.5z" />
    <path d="M430 126v15" strokeWidth="4" />
    <path d="M460 133.5h42" strokeWidth="2" />
    <path d="M322 176h38m-9-6l9 6-9 6" strokeWidth="2.5" />
  </g>
)

const fineMarks =
  'M180.3 94.8L185.7 92.4M178 88.9L183.6 87M176.3 82.7L182.1 81.5M175.3 76.4L181.2 75.8M175 70L185.4 70M175.3 63.6L181.2 64.2M176.3 57.3L182.1 58.5M178 51.1L183.6 53M180.3 45.2L185.7 47.6M186.6 34.1L191.4 37.6M190.7 29.2L195.1 33.1M195.2 24.7L199.1 29.1M200.1 20.6L203.6 25.4M205.5 17.2L210.7 26.1M211.2 14.3L213.6 19.7M217.1 12L219 17.6M223.3 10.3L224.5 16.1M229.6 9.3L230.2 15.2M242.4 9.3L241.8 15.2M248.7 10.3L247.5 16.1M254.9 12L253 17.6M260.8 14.3L258.4 19.7M266.5 17.2L261.3 26.1M271.9 20.6L268.4 25.4M276.8 24.7L272.9 29.1M281.3 29.2L276.9 33.1M285.4 34.1L280.6 37.6M291.7 45.2L286.3 47.6M294 51.1L288.4 53M295.7 57.3L289.9 58.5M296.7 63.6L290.8 64.2M297 70L286.6 70M296.7 76.4L290.8 75.8M295.7 82.7L289.9 81.5M294 88.9L288.4 87M291.7 94.8L286.3 92.4'
