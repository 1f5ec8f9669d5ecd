import type { ReactNode } from 'react'

/** Elevations of the three jobs: 3 px line, square ends, hi-vis on one part. */
const Elevation = ({ children }: { children: ReactNode }) => (
  <svg
    className="art"
    viewBox="0 0 300 170"
    fill="none"
    stroke="currentColor"
    strokeWidth="3"
    aria-hidden="true"
    focusable="false"
  >
    {children}
  </svg>
)

/** The van, home while it is light: more time. */
export const Van = () => (
  <Elevation>
    <path d="M8 144h284" strokeWidth="3" />
    <path
      className="d-fill"
      d="M22 128V52q0-10 10-10h136q7 0 12 5l34 36 44 10q10 3 10 13v22q0 4-4 4h-12a22 22 0 0 0-44 0H92a22 22 0 0 0-44 0H26q-4 0-4-4z"
    />
    <path className="d-hot" d="M22 98h164l-2 14H22z" />
    <path d="M134 42v86M182 54l26 28h-38V54zM146 94h14M34 52h88v36H34zM214 83l-6-1" />
    <path d="M258 104h-12q-5 0-5 6v4h27M22 118h-8v8h8" />
    <path
      d="M40 42v-8M150 42v-8M30 34h132M34 26h120M34 34v-8M58 34v-8M82 34v-8M106 34v-8M130 34v-8M154 34v-8"
      strokeWidth="2.5"
    />
    <circle className="d-fill" cx="70" cy="130" r="16" strokeWidth="4" />
    <circle cx="70" cy="130" r="6" />
    <circle className="d-fill" cx="230" cy="130" r="16" strokeWidth="4" />
    <circle cx="230" cy="130" r="6" />
    <path d="M22 160h246M22 154v12M268 154v12" strokeWidth="1.5" />
  </Elevation>
)

/** A spirit level: more freedom. */
export const Level = () => (
  <Elevation>
    <path className="d-fill" d="M10 62h280v54H10z" />
    <path d="M10 72h280M10 106h280" strokeWidth="1.5" />
    <path className="d-solid" d="M10 62h12v54H10zM278 62h12v54h-12z" />
    <circle className="d-fill" cx="58" cy="89" r="19" />
    <path className="d-hot" d="M51 75h14v28H51z" />
    <path className="d-onhot" d="M51 84h14M51 94h14" strokeWidth="1.5" />
    <circle className="d-fill" cx="242" cy="89" r="19" />
    <path className="d-hot" d="M228 82h28v14h-28z" />
    <path className="d-onhot" d="M237 82v14M247 82v14" strokeWidth="1.5" />
    <path className="d-hot" d="M112 62h76v24q0 6-6 6h-64q-6 0-6-6z" />
    <path className="d-onhot" d="M140 63v28M160 63v28" strokeWidth="2.5" />
    <rect className="d-bub" x="142.5" y="68" width="15" height="12" rx="6" strokeWidth="2" />
    <path
      d="M6 132h288M6 140l8-8M22 140l8-8M38 140l8-8M54 140l8-8M70 140l8-8M86 140l8-8M102 140l8-8M118 140l8-8M134 140l8-8M150 140l8-8M166 140l8-8M182 140l8-8M198 140l8-8M214 140l8-8M230 140l8-8M246 140l8-8M262 140l8-8M278 140l8-8"
      strokeWidth="2"
    />
    <path d="M150 50V22M144 32l6-10 6 10" strokeWidth="2" />
  </Elevation>
)

/** A tape measure: more profit. */
export const TapeMeasure = () => (
  <Elevation>
    <path className="d-hot" d="M20 92h170v26H20z" />
    <path
      className="d-onhot"
      d="M31 118v-8M40 118v-8M49 118v-8M58 118v-8M67 118v-14M76 118v-8M85 118v-8M94 118v-8M103 118v-8M112 118v-14M121 118v-8M130 118v-8M139 118v-8M148 118v-8M157 118v-14M166 118v-8M175 118v-8"
      strokeWidth="1.8"
    />
    <path className="d-solid" d="M14 84h8v52h-14v-8h6z" />
    <path className="d-fill" d="M182 132V52q0-22 22-22h50q32 0 32 32v58q0 12-12 12z" />
    <circle cx="236" cy="76" r="30" />
    <circle className="d-hot" cx="236" cy="76" r="22" />
    <path className="d-solid" d="M174 116h20v16h-20z" />
    <path d="M204 30v-8h28v8M286 96h8v26h-8" />
    <text className="d-onhot-f dtext" x="236" y="88" fontSize="34" textAnchor="middle">
      £
    </text>
    <text className="d-onhot-f dtext" x="62" y="106" fontSize="15">
      5
    </text>
    <text className="d-onhot-f dtext" x="105" y="106" fontSize="15">
      10
    </text>
    <text className="d-onhot-f dtext" x="150" y="106" fontSize="15">
      15
    </text>
  </Elevation>
)
