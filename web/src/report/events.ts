// Impacts, releases, sticks and slips as a table; a click goes to the time.
import type { Clock } from "../clock";
import type { Events, Value } from "../format";
import { makeTable } from "./table";

export function makeEvents(events: Events, clock: Clock | null): HTMLElement | null {
  if (!events.t.length) return null;
  const columns = ["t", "event"];
  if (events.contact) columns.push("contact");
  if (events.impulse) columns.push("impulse");
  return makeTable({
    title: events.of && events.of > events.t.length ? `Events (${events.t.length} of ${events.of})` : `Events (${events.t.length})`,
    columns,
    count: events.t.length,
    row: (i) => {
      const row: Value[] = [events.t[i], events.kinds[events.kind[i]] ?? String(events.kind[i])];
      if (events.contact) row.push(events.contacts?.[events.contact[i]] ?? events.contact[i]);
      if (events.impulse) row.push(events.impulse[i]);
      return row;
    },
    choose: clock
      ? (i) => {
          clock.pause();
          clock.set(events.t[i]);
        }
      : undefined,
    chooseHint: "Show this time",
  });
}
