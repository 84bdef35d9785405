// Dark Appearance of the phones: as the browser's, until somebody chooses it in a phone's Settings. The phone knows whether somebody has.

const darkness = matchMedia("(prefers-color-scheme: dark)");

/**
 * Lets a phone follow the browser, now and whenever the browser's colours change.
 *
 * @param {() => boolean} isDark whether the phone has Dark Appearance now
 * @param {(on: boolean) => void} tell tells the phone how the browser is
 */
export function followBrowser(isDark, tell) {
  const follow = () => { if (darkness.matches !== isDark()) tell(darkness.matches); };
  darkness.addEventListener("change", follow);
  follow();
}
