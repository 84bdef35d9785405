// Why a phone still gets texts in another language than its own.

/**
 * The app tells the service its language when it runs. A change of the language ends the app, so the next push is still in the
 * former language; it wakes the app, and the one after it is in the new one.
 * @param {object} state a phone's
 * @returns {string} a part of the line below the phone; empty if there is nothing to say
 */
export function languageNote({ app, region, settings }) {
  if (!app.installation || !app.region || !region || app.region === region.locale) return "";
  const name = (locale) => settings.regions.find(({ id }) => id === locale)?.name ?? locale;
  return `texts are in ${name(app.region)} until ${app.name} runs in ${name(region.locale)}`;
}
