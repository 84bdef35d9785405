// The one event stream of the page. The browser reconnects by itself; on every connect the server sends all state again.

/**
 * @param {Record<string, (data: any) => void>} handlers by event name
 * @param {(state: "connecting" | "live" | "lost") => void} onState
 */
export function openStream(handlers, onState) {
  const source = new EventSource("events");
  onState("connecting");
  source.addEventListener("open", () => onState("live"));
  source.addEventListener("error", () => {
    onState("lost");
    // A refusal (any answer but 200) closes the source for good; the page then tries again itself.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => openStream(handlers, onState), 2000);
  });
  for (const [name, handler] of Object.entries(handlers)) {
    source.addEventListener(name, (event) => handler(JSON.parse(event.data)));
  }
  return source;
}
