import { getRouteApi } from '@tanstack/react-router'
import { Gate } from '../../gate/Gate.tsx'

const route = getRouteApi('/runs/$id/gate')

/** What must happen before the run can be applied; of an apply, why it could. */
export const GateTab = () => <Gate runId={route.useParams().id} />
