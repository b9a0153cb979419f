import t from 'tap'
import { withWorkflow } from '#test/scenes/dispatched.ts'
import { audit, screens, startPlace } from '../../browser.ts'
import { applyStorefront, card, policy } from '../storefront.ts'

const place = await startPlace(t, { files: { ...withWorkflow, 'svc.yml': policy } })
const { applyId, planId } = await applyStorefront(place)

for (const screen of screens) {
  t.test(`the board of an apply and of a plan at ${screen.name}`, async (t) => {
    const seat = await place.sit('ada', screen)
    const { page } = seat
    await page.goto(`/runs/${applyId}`)
    await page.getByRole('heading', { name: '2 things need somebody' }).waitFor()
    await card(page, 'platform/cluster').getByText('0 to add, 2 to change').waitFor()
    await audit(t, seat, `board ${screen.name}`)
    await card(page, 'data/database').click()
    await page.getByText('StorageQuotaExceeded').waitFor()
    await audit(t, seat, `panel ${screen.name}`)
    await page.getByRole('button', { name: 'Release lock…' }).click()
    await page.getByRole('dialog', { name: 'Release the lock on data/database' }).waitFor()
    await audit(t, seat, `release ${screen.name}`)
    await page.goto(`/runs/${planId}`)
    await page.getByRole('heading', { name: /Wave 1/ }).waitFor()
    await audit(t, seat, `plan ${screen.name}`)
  })
}
