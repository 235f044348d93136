interface Props<Name extends string> {
  readonly names: readonly Name[];
  readonly chosen: Name;
  onChoose(name: Name): void;
}

const STEPS: { readonly [key: string]: (index: number, count: number) => number } = {
  ArrowRight: (index, count) => (index + 1) % count,
  ArrowLeft: (index, count) => (index + count - 1) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** The tabs over the panel: Tab reaches the chosen one, arrow keys the others. */
export function Tabs<Name extends string>({ names, chosen, onChoose }: Props<Name>) {
  const step = (event: KeyboardEvent & { readonly currentTarget: HTMLElement }) => {
    const next = STEPS[event.key]?.(names.indexOf(chosen), names.length);
    const name = next === undefined ? undefined : names[next];
    if (next === undefined || name === undefined) return;
    event.preventDefault();
    onChoose(name);
    event.currentTarget.querySelectorAll('button')[next]?.focus();
  };
  return (
    <div role="tablist" aria-label="Panels" class="tabs" onKeyDown={step}>
      {names.map((name) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={chosen === name}
          aria-controls="panel"
          tabIndex={chosen === name ? 0 : -1}
          onClick={() => onChoose(name)}
        >
          {name}
        </button>
      ))}
    </div>
  );
}
