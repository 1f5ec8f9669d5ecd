import { Bone } from '#pwa/ui/bone.tsx'
import { healthParts } from './health-parts.ts'

/** Stands in for the report, and is as high. */
export const HealthBones = () => (
  <div className="health" role="status">
    <span className="vh">Loading…</span>
    <div className="health__whole">
      <Bone size="title" isShort />
    </div>
    <div className="health__parts">
      {healthParts.map(({ part }) => (
        <div key={part}>
          <Bone isShort />
        </div>
      ))}
    </div>
    <div className="second">
      <Bone isShort />
    </div>
  </div>
)
