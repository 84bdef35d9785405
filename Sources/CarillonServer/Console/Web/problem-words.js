// What the service refuses, in the words of the form: the service names members of the request, and a person sees fields.

/** The fields by the members of a request, with their labels; the first that matches counts. */
const fields = [
  [/^\/to\/users/, "named", "Users with their values"], [/^\/to\/where/, "where", "Condition"], [/^\/to/, "to", "To"],
  [/^\/localized/, "localized", "Texts in other languages"], [/^\/send_at/, "send_at", "Send at"], [/^\/until/, "until", "Expires"],
  [/^\/id/, "id", "Message id"], [/^\/dialect/, "dialect", "Dialect"], [/^\/mode/, "mode", "Delivery mode"],
  [/^\/payload\/aps\/alert\/title/, "title", "Title"], [/^\/payload\/aps\/alert\/subtitle/, "subtitle", "Subtitle"],
  [/^\/payload\/aps\/alert\/body/, "body", "Body"], [/^\/payload\/aps\/category/, "category", "Category"],
  [/^\/payload\/aps\/thread-id/, "thread", "Thread identifier"], [/^\/payload\/aps\/interruption-level/, "level", "Interruption level"],
  [/^\/payload\/aps/, "title", "Title and body"], [/^\/payload\/link_url/, "link", "Link"], [/^\/payload\/media_url/, "image", "Image address"],
  [/^\/payload\/./, "custom", "Own keys"],
];
/** Members that stand for what somebody has named: a user, a language, a key. */
const named = /^\/(?:to\/users|localized|payload(?!\/aps))\/([^/]+)/;

/**
 * @param {{ message: string, pointer?: string }} problem as the service says it; `pointer` is a JSON pointer (RFC 6901)
 * @returns {{ text: string, field: string | null }} a sentence for people, and the name of the field that it is about
 */
export function inFormsWords({ message, pointer }) {
  const [, field, label] = fields.find(([pattern]) => pattern.test(pointer ?? "")) ?? [];
  if (!field) return { text: message, field: null };
  const [, name] = named.exec(pointer) ?? [];
  const own = name && !["link_url", "media_url"].includes(name) ? `, ${name.replaceAll("~1", "/").replaceAll("~0", "~")}` : "";
  return { text: `${label}${own}: ${message}`, field };
}
