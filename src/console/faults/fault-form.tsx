/**
 * The form that injects a fault into the next calls: the options of the fault, and which calls get it. Sent, it is
 * `{ fault: 'cut', after: '3', endpoint: 'chat', times: 1, skip: 0 }`, with the options as the user wrote them.
 */
import type { TargetedSubmitEvent } from 'preact'
import type { OptionSpec } from '../../core/protocol/faults/fault.ts'
import type { InjectedFault } from '../../engine/index.ts'
import { api } from '../app/control-api.ts'
import { say } from '../app/messages.tsx'
import { act, calls } from '../app/page-state.ts'
import { navigate, pathTo } from '../app/router.ts'
import { Button, CodeText, Select, StatusBadge, TextField } from '../parts/elements.tsx'
import { describeCalls, formatDefault, type KnownFault, splitSummary } from './fault-text.ts'

/** The address of the form for a fault: `/_mock/faults/cut/17` is for calls like call 17. */
export const pathToFault = (name: string, like?: number): string =>
  like === undefined ? pathTo('faults', name) : pathTo('faults', name, like)

/** The name of a fault, and the status of its answer if the fault sets one. */
export const FaultName = ({ name, status }: { name: string; status: number | undefined }) => (
  <span class="fault-name">
    <code>{name}</code>
    {status !== undefined && <StatusBadge status={status} />}
  </span>
)

interface FaultFormProps {
  readonly fault: KnownFault
  readonly endpoints: readonly string[]
  /** The number of the call that the failing calls are like; undefined for any calls. */
  readonly like: number | undefined
}

export function FaultForm({ fault, endpoints, like }: FaultFormProps) {
  const { name, summary, options } = fault
  const { status, text } = splitSummary(summary)
  const likeCall = like === undefined ? undefined : calls.find(like)
  // If the earlier call failed with this fault, the form begins with the options that it had.
  const given = likeCall?.fault === name ? (likeCall.faultOptions ?? {}) : {}
  const submit = (event: TargetedSubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    const written = [...new FormData(event.currentTarget)].filter(([, value]) => value !== '')
    // The options of the fault are beside the other fields, so none may have the name of a field: a test checks it.
    const { times, skip, ...others } = Object.fromEntries(written) as Readonly<Record<string, string>>
    const body = { ...others, fault: name, times: Number(times), skip: Number(skip), like }
    act(async () => {
      const { faults } = await api.call<{ faults: readonly InjectedFault[] }>('POST', '/faults', body)
      const added = faults.at(-1)
      // With fast clients it may be used up already.
      say(added === undefined ? 'Injected.' : `${added.fault}: ${describeCalls(added)}.`)
    })
  }
  return (
    <section class="fault-form" aria-labelledby="fault-title">
      <Button class="back" text="← Faults" onClick={() => navigate(pathTo('faults'))} />
      <h2 id="fault-title">
        <FaultName name={name} status={status} />
      </h2>
      <p>
        <CodeText text={text} />
      </p>
      <form onSubmit={submit}>
        {Object.entries(options).map(([option, spec]) => (
          <OptionField key={option} name={option} spec={spec} given={given[option]} />
        ))}
        <fieldset>
          <legend>Which calls</legend>
          {like === undefined ? <ScopeFields endpoints={endpoints} /> : <LikeCall fault={name} number={like} />}
          <CountField name="times" label="How many calls" min={1} />
          <CountField name="skip" label="Calls to skip first" min={0} />
        </fieldset>
        <Button type="submit" class="main" text="Inject" />
      </form>
    </section>
  )
}

const CountField = ({ name, label, min }: { name: string; label: string; min: 0 | 1 }) => (
  <p>
    <label for={name}>{label}</label>
    <input id={name} name={name} type="number" min={min} max={1000} defaultValue={min} required />
  </p>
)

const ScopeFields = ({ endpoints }: { endpoints: readonly string[] }) => (
  <>
    <p>
      <label for="fault-endpoint">Endpoint</label>
      <Select id="fault-endpoint" name="endpoint" empty="any" options={endpoints} />
    </p>
    {['Key', 'Session'].map((label) => (
      <p key={label}>
        <label for={`fault-${label}`}>{label}</label>
        <TextField id={`fault-${label}`} name={label.toLowerCase()} placeholder="any" />
      </p>
    ))}
  </>
)

/** The call that the failing calls are like, in place of the fields for their scope. */
const LikeCall = ({ fault, number }: { fault: string; number: number }) => (
  <p class="like-call">
    <span>
      Calls like <a href={pathTo('calls', number)}>call {number}</a>: to the same endpoint, with the same model, key and
      session
    </span>
    <Button text="Any calls" onClick={() => navigate(pathToFault(fault))} />
  </p>
)

/** @param given the value to begin with; undefined for that of the option. */
function OptionField({ name, spec, given }: { name: string; spec: OptionSpec; given: string | number | undefined }) {
  const id = `option-${name}`
  const attributes = { id, name, 'aria-describedby': `${id}-hint` }
  return (
    <p>
      <label for={id}>{name}</label>
      {spec.kind === 'choice' ? (
        <select {...attributes}>
          {spec.default === undefined && <option value="" />}
          {spec.of.map((value) => (
            <option key={value} selected={value === (given ?? spec.default)}>
              {value}
            </option>
          ))}
        </select>
      ) : (
        <TextField {...attributes} defaultValue={given ?? ''} placeholder={formatDefault(spec)} size={8} />
      )}
      <span id={`${id}-hint`} class="hint">
        <CodeText text={spec.summary} />
      </span>
    </p>
  )
}
