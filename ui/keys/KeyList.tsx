import { useState } from 'react'
import { Dialog } from '../parts/overlay/Dialog.tsx'
import { areKeysOn, turnKeys, useAllKeys } from './registry.ts'
import './key-list.css'

/** The shortcuts that there are now, and the switch that turns them off. */
export const KeyList = ({ onClose }: { onClose: () => void }) => {
  const [isOn, setOn] = useState(areKeysOn)
  const turn = (on: boolean): void => {
    turnKeys(on)
    setOn(on)
  }
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="key-list">
        {useAllKeys().map(({ keys, does }) => (
          <div key={`${keys} ${does}`}>
            <dt>
              {keys.split(' ').map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <label>
        <input type="checkbox" checked={isOn} onChange={(event) => turn(event.target.checked)} /> Shortcuts are on in
        this browser
      </label>
    </Dialog>
  )
}
