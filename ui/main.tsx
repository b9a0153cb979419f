import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/base.css'
import './parts/button.css'
import { App } from './app.tsx'
import { reloadOnce } from './reload-once.ts'

// a part of an older build that the service no longer has: the index names those of the present one
addEventListener('vite:preloadError', ({ payload }) => reloadOnce(payload.message))

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
