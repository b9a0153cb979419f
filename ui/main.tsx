import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './style/tokens.css'
import './style/base.css'
import './parts/button.css'
import { App } from './app.tsx'
import { reloadOnce } from './reload-once.ts'

// a part of an older build that the service no longer has: the index names those of the present one
addEventListener('vite:preloadError', ({ payload }) => {
  void reloadOnce(payload.message)
  // by the browser's own words the router would load the page again itself, whether anybody answers or not
  payload.message = `A part of the page could not be loaded. ${payload.message}`
})

const root = document.getElementById('root')
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  )
}
