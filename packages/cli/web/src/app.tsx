import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { api, type PersonaChoice, type Report, type SessionRow, type SessionView } from './api.js';
import { ChangesPanel } from './changes-panel.js';
import { Chat } from './chat.js';
import { FoldPanel } from './fold-panel.js';
import { MemoryPanel } from './memory-panel.js';
import { problemText } from './problem-text.js';
import { PromptPanel } from './prompt-panel.js';
import { SessionPicker } from './session-picker.js';
import { StatePanel } from './state-panel.js';
import { Tabs } from './tabs.js';
import { Timeline } from './timeline.js';

const PANELS = ['Prompt', 'Timeline', 'State', 'Changes', 'Memory', 'Folds'] as const;
type Panel = (typeof PANELS)[number];
const TITLE = 'Persona inspector';

/** The page: sessions on top, talk on the left, the chosen panel on the right. */
export function App() {
  const [personas, setPersonas] = useState<readonly PersonaChoice[]>([]);
  const [sessions, setSessions] = useState<readonly SessionRow[]>([]);
  const [view, setView] = useState<SessionView>();
  const [turn, setTurn] = useState<string>();
  const [panel, setPanel] = useState<Panel>('Prompt');
  const [problem, setProblem] = useState<string>();

  const attempt = useCallback(async (work: () => Promise<void>) => {
    try {
      setProblem(undefined);
      await work();
    } catch (error) {
      setProblem(problemText(error));
    }
  }, []);
  /** The session that is wanted; what another one still sends is not shown. */
  const wanted = useRef<string>();
  const show = useCallback(async (id: string) => {
    // Where this fails, what follows says so.
    void api.sessions().then(
      ({ sessions: rows }) => setSessions(rows),
      () => undefined,
    );
    if (wanted.current !== id) return;
    const next = await api.session(id);
    if (wanted.current !== id) return;
    setView((now) => withKnown(now, next));
    setTurn(next.reports.at(-1)?.id);
    location.hash = id;
  }, []);
  const load = useCallback(
    (id: string) => {
      wanted.current = id;
      return attempt(() => show(id));
    },
    [attempt, show],
  );
  useEffect(() => {
    void attempt(async () => {
      const all = await api.sessions();
      setPersonas(all.personas);
      setSessions(all.sessions);
      const wanted = location.hash.slice(1);
      const known = all.sessions.find(({ id }) => id === wanted) ?? all.sessions[0];
      if (known) await load(known.id);
    });
  }, [attempt, load]);

  const inspection = useRef<HTMLElement>(null);
  const inspect = (id: string) => {
    setTurn(id);
    // Where the panel stands below the talk, it would change unseen.
    if (matchMedia('(max-width: 800px)').matches) inspection.current?.scrollIntoView();
  };
  const asker = view?.question?.asker;
  useEffect(() => {
    document.title = asker === undefined ? TITLE : `${asker} asks you · ${TITLE}`;
  }, [asker]);
  const report = view?.reports.find(({ id }) => id === turn);
  return (
    <>
      <header>
        <h1>{TITLE}</h1>
        <SessionPicker
          personas={personas}
          sessions={sessions}
          current={view?.id}
          onOpen={load}
          onCreate={(persona) => attempt(async () => load((await api.create(persona)).id))}
        />
      </header>
      {problem && (
        <p role="alert" class="problem">
          {problem}
        </p>
      )}
      {view ? (
        <main>
          <Chat key={view.id} view={view} turn={turn} onTurn={inspect} onSaid={() => show(view.id)} />
          <section ref={inspection} class="inspect" aria-label="Inspection">
            <Tabs<Panel> names={PANELS} chosen={panel} onChoose={setPanel} />
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must reach it */}
            <div key={panel} role="tabpanel" id="panel" aria-labelledby={`tab-${panel}`} tabIndex={0}>
              {panel === 'Prompt' && <PromptPanel session={view.id} report={report} />}
              {panel === 'Timeline' && <Timeline reports={view.reports} />}
              {panel === 'State' && <StatePanel view={view} />}
              {panel === 'Changes' && (
                <ChangesPanel changes={view.changes} onUndo={(id) => attempt(async () => setView(await api.undo(view.id, id)))} />
              )}
              {panel === 'Memory' && (
                <MemoryPanel memory={view.memory} onUndo={(id) => attempt(async () => setView(await api.undoMemory(view.id, id)))} />
              )}
              {panel === 'Folds' && <FoldPanel view={view} />}
            </div>
          </section>
        </main>
      ) : (
        <p class="empty">Choose a persona above to start a session.</p>
      )}
    </>
  );
}

// Most reports are as they were, and those that are drawn stay the same objects and are not drawn anew.
function withKnown(now: SessionView | undefined, next: SessionView): SessionView {
  if (now?.id !== next.id) return next;
  const known = new Map(now.reports.map((report) => [report.id, report]));
  return { ...next, reports: next.reports.map((report) => sameReport(known.get(report.id), report)) };
}

// The time is that of the turn's end, and changes when a question of the turn is answered.
function sameReport(known: Report | undefined, report: Report): Report {
  return known?.atMs === report.atMs ? known : report;
}
