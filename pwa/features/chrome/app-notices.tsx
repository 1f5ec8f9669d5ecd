import { InstallPrompt } from './install-prompt.tsx'
import { UpdateNotice } from './update-notice.tsx'
import './app-notices.css'

/** News about the app itself; comes after the page has started. */
const AppNotices = () => (
  <div className="notices">
    <UpdateNotice />
    <InstallPrompt />
  </div>
)

export default AppNotices
