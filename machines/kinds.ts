import type { StateValueFrom } from 'xstate'
import type { z } from 'zod'
import { DispatchContext, DispatchInput, dispatchMachine, openDispatch } from './dispatch.ts'
import { DispatchEvent, LockEvent, RunEvent, StackEvent } from './events.ts'
import { lockMachine } from './lock.ts'
import { LockContext, LockInput, openLock } from './lock-setup.ts'
import { runMachine } from './run.ts'
import { openRun, RunContext, RunInput } from './run-setup.ts'
import { openStack, StackContext, StackInput, stackMachine } from './run-stack.ts'
import type { Upcasters } from './upcasters.ts'

/** A machine that is in its first version has none. */
const upcasters: Upcasters = {}

/** Windows that hold waves came with version 2: what an apply of version 1 remembers means the same, as it asks no window. */
const ofRun: Upcasters = { 1: (old) => old }

/**
 * The four kinds of machine. A change to the states or the context of one raises its version and brings an upcaster, with
 * a test on a snapshot that the old version stored.
 */
export const kinds = {
  run: {
    version: 2,
    upcasters: ofRun,
    machine: runMachine,
    Input: RunInput,
    Context: RunContext,
    Event: RunEvent,
    open: (input: unknown) => openRun(RunInput.parse(input)),
  },
  stack: {
    version: 1,
    upcasters,
    machine: stackMachine,
    Input: StackInput,
    Context: StackContext,
    Event: StackEvent,
    open: (input: unknown) => openStack(StackInput.parse(input)),
  },
  lock: {
    version: 1,
    upcasters,
    machine: lockMachine,
    Input: LockInput,
    Context: LockContext,
    Event: LockEvent,
    open: (input: unknown) => openLock(LockInput.parse(input)),
  },
  dispatch: {
    version: 1,
    upcasters,
    machine: dispatchMachine,
    Input: DispatchInput,
    Context: DispatchContext,
    Event: DispatchEvent,
    open: (input: unknown) => openDispatch(DispatchInput.parse(input)),
  },
} as const

type Kinds = typeof kinds
export type Kind = keyof Kinds

/*
 * Maps by kind, not conditional types: TypeScript follows the kind through an index. That keeps a message's event, its machine
 * and its snapshot of one kind in code written for all of them.
 */
type Inputs = { [K in Kind]: z.input<Kinds[K]['Input']> }
type Contexts = { [K in Kind]: z.infer<Kinds[K]['Context']> }
type Events = { [K in Kind]: z.infer<Kinds[K]['Event']> }
type Values = { [K in Kind]: StateValueFrom<Kinds[K]['machine']> }

export type InputOf<K extends Kind> = Inputs[K]
export type ContextOf<K extends Kind> = Contexts[K]
export type EventOf<K extends Kind> = Events[K]
export type ValueOf<K extends Kind> = Values[K]
